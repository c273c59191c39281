// All services that are measured against.
import { writeFileSync } from 'node:fs';

import { ownCertificate } from './certificate.mts';
import { startPlace, type Place, type Running } from './place.mts';

export interface Services {
	at: (place: Place) => Running;
	stop: () => void;
}

/**
 * @param certificate path of a file to write: what a process that asks distant services has to trust (PEM)
 * @throws Error when a distance is not what it should be
 */
export async function startServices(
	places: readonly Place[],
	certificate: string,
): Promise<Services> {
	const identity = ownCertificate();
	writeFileSync(certificate, identity.certificate);
	const services = new Map<string, Running>();
	const keys = new Set(places.map((place) => JSON.stringify(place)));
	const stop = () => services.forEach((service) => service.stop());
	try {
		for (const key of keys) services.set(key, await startPlace(JSON.parse(key) as Place, identity));
	} catch (error) {
		stop();
		throw error;
	}
	return { at: (place) => services.get(JSON.stringify(place))!, stop };
}
