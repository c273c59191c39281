// A running sandbox for the tests of a file, and the credentials that nodes reach it with.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import {
	startSandbox,
	type Exchange,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox/server.mts';
import { credentialStoreWith, runNode, type RunOptions, type RunResult } from './run.cts';

export interface SandboxInUse extends Readonly<Omit<Sandbox, 'close'>> {
	/** The requests that got a response since the test began, in order; set `length` to 0 to forget them. */
	readonly exchanges: Exchange[];
	/** Those of an operation; without one, all but the sign-ins. */
	requests(operation?: string): Exchange[];
	/**
	 * A store with a credential of the sandbox's user with all permissions. Each call makes a new one, without a token.
	 * @param changes fields of the credential that differ, such as `{ grantType: 'password' }`
	 */
	credentials(changes?: ICredentialDataDecryptedObject): CredentialStore;
	/** Runs a node with such a credential, unless it gets another one. */
	run(options: Omit<RunOptions, 'credentials'> & Partial<RunOptions>): Promise<RunResult>;
	/**
	 * Restarts it at the same address, with its initial records and accounts, and without tokens.
	 * @param changes options that differ from those it was first started with
	 */
	restart(changes?: SandboxOptions): Promise<void>;
}

export interface UseSandboxOptions extends SandboxOptions {
	/** Whether one sandbox serves all tests, or each test gets one of its own. */
	each?: 'file' | 'test';
}

/**
 * Starts a sandbox before the tests of the file (or of the `describe` that calls this) and closes it after
 * them. Call it once, outside of tests; what it returns can be read as soon as a test, or a hook that was
 * registered later, runs:
 *
 *     const sandbox = useSandbox();
 *
 *     test('a shift schedule is created by one request', async () => {
 *     	await sandbox.run({ node, parameters });
 *     	expect(sandbox.records.list('shiftSchedule').rows).toHaveLength(1);
 *     	expect(sandbox.requests('createShiftSchedule')).toHaveLength(1);
 *     });
 *
 * Tests that change faults, accounts, or records that others count take one each:
 * `useSandbox({ each: 'test' })`.
 */
export function useSandbox({ each = 'file', ...options }: UseSandboxOptions = {}): SandboxInUse {
	let running: Sandbox;
	const exchanges: Exchange[] = [];
	const start = async (changes: SandboxOptions = {}) => {
		const all = { ...options, ...changes };
		running = await startSandbox({
			...all,
			onExchange(exchange) {
				exchanges.push(exchange);
				all.onExchange?.(exchange);
			},
		});
	};
	const [before, after] = each === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
	before(() => start());
	after(() => running.close());
	beforeEach(() => void (exchanges.length = 0));
	const own: Pick<SandboxInUse, 'exchanges' | 'requests' | 'credentials' | 'run' | 'restart'> = {
		exchanges,
		requests: (wanted) =>
			exchanges.filter(({ operation, url }) =>
				wanted ? operation === wanted : url.startsWith('/agency'),
			),
		credentials: (changes) => credentialStoreWith(sandboxCredential(running.url, changes)),
		run: (options) => runNode({ credentials: own.credentials(), ...options }),
		async restart(changes) {
			const port = Number(new URL(running.url).port);
			await running.close();
			await start({ port, ...changes });
		},
	};
	// Everything else belongs to the currently running sandbox.
	const get = (_: object, name: string): unknown => Reflect.get(name in own ? own : running, name);
	return new Proxy(own, { get }) as SandboxInUse;
}

/** A credential's change: the number of rows per page of a list. */
export const withPageSize = (pageSize: number): ICredentialDataDecryptedObject => ({ pageSize });

/**
 * A store with a credential for a service at another address than the sandbox's, such as a fake one.
 * @param changes fields that differ. It uses the password grant, the only one that fake services know
 */
export const credentialsFor = (
	baseUrl: string,
	changes: ICredentialDataDecryptedObject = {},
): CredentialStore =>
	credentialStoreWith(sandboxCredential(baseUrl, { grantType: 'password', ...changes }));
