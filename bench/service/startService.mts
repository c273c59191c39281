// Starts a service to measure against, in a process of its own: directly on loopback, or behind a relay that adds a
// network delay, and then over TLS.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { TlsIdentity } from './certificate.mts';
import { measureRoundTrips } from './roundTrips.mts';
import type { ServiceCounts, ServiceOptions } from './serviceProcess.mts';

export interface ServiceConditions extends Omit<ServiceOptions, 'tlsIdentity'> {
	/** The round trip in milliseconds that the relay adds; without it there is no relay and no TLS. */
	roundTrip?: number;
}

export interface RunningService {
	url: string;
	/** Returns what the service has counted since the last call. */
	counts: () => Promise<ServiceCounts>;
	stop: () => void;
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
	const [message] = (await once(child, 'message')) as [Message];
	return message;
}

async function startProcess(file: string, ...args: string[]) {
	const child = fork(join(import.meta.dirname, file), args);
	return { child, port: await nextMessage<number>(child) };
}

/**
 * @param tlsIdentity the certificate that a service behind the relay presents
 * @throws Error when requests through the relay do not take as many round trips as they must
 */
export async function startService(
	conditions: ServiceConditions,
	tlsIdentity: TlsIdentity,
): Promise<RunningService> {
	const { roundTrip, ...options } = conditions;
	const service = await startProcess(
		'serviceProcess.mts',
		JSON.stringify({ ...options, ...(roundTrip && { tlsIdentity }) }),
	);
	const counts = () => {
		const answer = nextMessage<ServiceCounts>(service.child);
		service.child.send('counts');
		return answer;
	};
	if (!roundTrip) {
		const url = `http://127.0.0.1:${service.port}`;
		return { url, counts, stop: () => service.child.kill() };
	}
	const relay = await startProcess('delayProcess.mts', String(service.port), String(roundTrip));
	const url = `https://127.0.0.1:${relay.port}`;
	const roundTrips = await measureRoundTrips(url, roundTrip, tlsIdentity.certificate);
	console.log(`${url}: a request takes ${roundTrips.toFixed(2)} round trips of ${roundTrip} ms`);
	return {
		url,
		counts,
		stop: () => {
			relay.child.kill();
			service.child.kill();
		},
	};
}
