// The sandbox on loopback: the service's API, and the page that shows its content.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AnySchemaObject } from 'ajv/dist/2020.js';
import Fastify, { type FastifyRequest } from 'fastify';

import { Accounts, type AccountRules } from './accounts.mts';
import { defaultDialects, type Dialects } from './dialects.mts';
import { ErrorResponse } from './errorResponses.mts';
import { Faults, type FaultRule } from './faults.mts';
import { RequestLog } from './requestLog.mts';
import { page } from './page/page.mts';
import { insertInitialRecords } from './areas.mts';
import { service, type RequestObservers } from './service.mts';
import { checkerOf, serializerOf } from './validation.mts';
import { RecordStore } from './recordStore.mts';

export type { Exchange } from './service.mts';

export interface SandboxOptions extends AccountRules, RequestObservers {
	/** 0 takes any free port. */
	port?: number;
	/** SQLite file; uploads go into a folder next to it. Without it, all data is gone when the sandbox stops. */
	data?: string;
	/** The differences from the defaults. */
	dialects?: Partial<Dialects>;
	/** The faults to inject; none by default. */
	faults?: FaultRule[];
	/** Seed of the random numbers that decide whether a fault strikes. */
	seed?: number;
}

export interface Sandbox {
	url: string;
	records: RecordStore;
	accounts: Accounts;
	/** May be changed while it runs. */
	dialects: Dialects;
	faults: Faults;
	/** Folder of the uploaded files, each under its GUID. */
	filesFolder: string;
	close(): Promise<void>;
}

const ownHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * @throws ErrorResponse (421, RFC 9110 §15.5.20) for another host name, which somebody may have pointed at this machine
 */
async function requireOwnHost({ headers }: FastifyRequest): Promise<void> {
	if (ownHost.test(headers.host ?? '')) return;
	const errors = 'The sandbox responds only under names of this machine, such as 127.0.0.1';
	throw new ErrorResponse(421, { success: false, errors });
}

/** Fastify searches all loaded modules for the name of an unnamed plugin. */
const named = <Plugin extends object>(name: string, plugin: Plugin): Plugin =>
	Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name });

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, data, seed = 1 } = options;
	const records = new RecordStore(data ?? ':memory:');
	if (records.counts().size === 0) insertInitialRecords(records);
	const accounts = new Accounts(options);
	const filesFolder = data ? `${data}.files` : mkdtempSync(join(tmpdir(), 'agency-sandbox-'));
	mkdirSync(filesFolder, { recursive: true });

	const faults = new Faults(options.faults ?? [], seed, accounts);
	const requestLog = new RequestLog(faults);
	const dialects = { ...defaultDialects, ...options.dialects };
	const state = { records, accounts, dialects, faults, requestLog };

	const app = Fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
	app.setValidatorCompiler(({ schema, httpPart }) =>
		checkerOf(schema as AnySchemaObject, httpPart, dialects),
	);
	app.setSerializerCompiler(({ schema }) => serializerOf(schema as AnySchemaObject));
	app.addHook('onRequest', requireOwnHost);
	await app.register(named('service', service({ ...options, ...state, filesFolder })));
	await app.register(named('page', page(state)));
	await app.listen({ port, host: '127.0.0.1' });

	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
		...state,
		filesFolder,
		async close() {
			await app.close();
			records.close();
			if (!data) rmSync(filesFolder, { recursive: true, force: true });
		},
	};
}
