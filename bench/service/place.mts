// A service to measure against: next door, or at a distance and then over TLS.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { roundTripsOf } from './bareRequest.mts';
import type { Identity } from './certificate.mts';
import type { Counts, Service } from './service.mts';

export interface Place extends Omit<Service, 'identity'> {
	/** Milliseconds there and back, if there is a distance. */
	roundTrip?: number;
}

/** A service that runs. */
export interface Running {
	url: string;
	/** What it has counted since this was last asked. */
	counts: () => Promise<Counts>;
	stop: () => void;
}

/** The next message of a process. */
async function told<Message>(child: ChildProcess): Promise<Message> {
	const [message] = (await once(child, 'message')) as [Message];
	return message;
}

async function start(file: string, ...args: string[]) {
	const child = fork(join(import.meta.dirname, file), args);
	return { child, port: await told<number>(child) };
}

/**
 * @param identity what a distant service shows
 * @throws Error when the distance is not what it should be
 */
export async function startPlace(place: Place, identity: Identity): Promise<Running> {
	const { roundTrip, ...service } = place;
	const near = await start(
		'service.mts',
		JSON.stringify({ ...service, ...(roundTrip && { identity }) }),
	);
	const counts = () => {
		const answer = told<Counts>(near.child);
		near.child.send('counts');
		return answer;
	};
	if (!roundTrip) {
		return { url: `http://127.0.0.1:${near.port}`, counts, stop: () => near.child.kill() };
	}
	const far = await start('distance.mts', String(near.port), String(roundTrip));
	const url = `https://127.0.0.1:${far.port}`;
	const roundTrips = await roundTripsOf(url, roundTrip, identity.certificate);
	console.log(`${url}: a request takes ${roundTrips.toFixed(2)} round trips of ${roundTrip} ms`);
	return {
		url,
		counts,
		stop: () => {
			far.child.kill();
			near.child.kill();
		},
	};
}
