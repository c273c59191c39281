// Starts the services to measure against, each in a process of its own: directly on loopback, or behind a relay that
// adds a network delay, and then over TLS.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { selfSignedIdentity, type TlsIdentity } from './certificate.mts';
import type { ServiceOptions } from './serviceProcess.mts';

export interface ServiceConditions extends Omit<ServiceOptions, 'tlsIdentity'> {
	/** The round trip in milliseconds that the relay adds; without it there is no relay and no TLS. */
	roundTrip?: number;
}

export interface RunningService {
	url: string;
	/** Returns the highest number of connections that were open at once since the last call. */
	mostConnections: () => Promise<number>;
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

/** @param tlsIdentity the certificate that a service behind the relay presents */
async function startService(
	{ roundTrip, ...options }: ServiceConditions,
	tlsIdentity: TlsIdentity,
): Promise<RunningService> {
	const service = await startProcess(
		'serviceProcess.mts',
		JSON.stringify({ ...options, ...(roundTrip && { tlsIdentity }) }),
	);
	const relay =
		roundTrip === undefined
			? undefined
			: await startProcess('delayProcess.mts', String(service.port), String(roundTrip));
	return {
		url: relay ? `https://127.0.0.1:${relay.port}` : `http://127.0.0.1:${service.port}`,
		mostConnections() {
			const most = nextMessage<number>(service.child);
			service.child.send('');
			return most;
		},
		stop() {
			relay?.child.kill();
			service.child.kill();
		},
	};
}

export interface RunningServices {
	/** The service for these conditions. */
	under: (conditions: ServiceConditions) => RunningService;
	/** The path of the certificate (PEM) that clients of services over TLS must trust. */
	certificate: string;
	stop: () => void;
}

/** Starts a service for each set of conditions. */
export async function startServices(
	allConditions: readonly ServiceConditions[],
): Promise<RunningServices> {
	const folder = mkdtempSync(join(tmpdir(), 'agency-services-'));
	const certificate = join(folder, 'certificate.pem');
	const identity = await selfSignedIdentity();
	writeFileSync(certificate, identity.certificate);
	const services = new Map<string, RunningService>();
	for (const conditions of allConditions) {
		const key = JSON.stringify(conditions);
		if (!services.has(key)) services.set(key, await startService(conditions, identity));
	}
	return {
		under: (conditions) => services.get(JSON.stringify(conditions))!,
		certificate,
		stop() {
			services.forEach((service) => service.stop());
			rmSync(folder, { recursive: true });
		},
	};
}
