// Starts all services that are measured against: one for each set of conditions.
import { writeFileSync } from 'node:fs';

import { selfSignedIdentity } from './certificate.mts';
import { startService, type RunningService, type ServiceConditions } from './startService.mts';

export interface RunningServices {
	/** The service that runs under these conditions. */
	under: (conditions: ServiceConditions) => RunningService;
	stop: () => void;
}

/**
 * @param certificatePath where to write the certificate (PEM) that clients of services over TLS must trust
 * @throws Error when requests through a relay do not take as many round trips as they must
 */
export async function startServices(
	allConditions: readonly ServiceConditions[],
	certificatePath: string,
): Promise<RunningServices> {
	const identity = await selfSignedIdentity();
	writeFileSync(certificatePath, identity.certificate);
	const services = new Map<string, RunningService>();
	const stop = () => services.forEach((service) => service.stop());
	try {
		for (const conditions of allConditions) {
			const key = JSON.stringify(conditions);
			if (!services.has(key)) services.set(key, await startService(conditions, identity));
		}
	} catch (error) {
		stop();
		throw error;
	}
	return { under: (conditions) => services.get(JSON.stringify(conditions))!, stop };
}
