// The nodes in an n8n that does some things otherwise, as its versions from 1.85 on do: test:versions runs them in
// full installations.
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { CredentialsHelper, type CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor, useSandbox } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

/** What n8n 1.121 to 2.33 make of an error: they lose its cause. */
async function withoutCause(request: Promise<unknown>): Promise<unknown> {
	return await request.catch((error: Error) => {
		throw Object.defineProperty(error, 'cause', { value: undefined });
	});
}

/** The same node in an older n8n. */
function inOlderN8n(node: INodeType): INodeType {
	return {
		...node,
		async execute(this: IExecuteFunctions) {
			const newer = this.helpers;
			const helpers = Object.create(newer, {
				httpRequestWithAuthentication: {
					value(this: IExecuteFunctions, type: string, options: IHttpRequestOptions, more: object) {
						// Anything but nothing is true to it.
						options.ignoreHttpStatusErrors = Boolean(options.ignoreHttpStatusErrors);
						return withoutCause(
							newer.httpRequestWithAuthentication.call(this, type, options, more),
						);
					},
				},
			}) as typeof newer;
			const older = Object.create(this, {
				helpers: { value: helpers },
				addExecutionHints: { value: undefined },
			}) as typeof this;
			return await node.execute!.call(older);
		},
	};
}

/** As a property, so that it can be taken off and put back. */
const prototype = CredentialsHelper.prototype as {
	preAuthentication: (
		this: CredentialsHelper,
		...given: Parameters<CredentialsHelper['preAuthentication']>
	) => ReturnType<CredentialsHelper['preAuthentication']>;
};

/** Before 2.34, n8n stores all that it was given to sign in with, and since then the token. */
function storeAll() {
	const { preAuthentication } = prototype;
	jest.spyOn(prototype, 'preAuthentication').mockImplementation(async function (
		this: CredentialsHelper,
		...given
	) {
		const [, credentials, type, node] = given;
		const changed = await preAuthentication.apply(this, given);
		if (changed) await this.updateCredentials(node.credentials![type]!, type, credentials);
		return changed;
	});
}

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox({ each: 'test' });
beforeEach(storeAll);
afterEach(() => void jest.restoreAllMocks());

const passwordGrant = (changes: ICredentialDataDecryptedObject = {}) =>
	sandbox.credentials({ grantType: 'password', ...changes });

const read = (credentials: CredentialStore, count = 1, options: INodeParameters = {}) =>
	runNode({
		node: inOlderN8n(new AgencyShifts()),
		parameters: { shiftID: 101, options: { parallelRequests: 50, maxTries: 1, ...options } },
		items: Array.from({ length: count }, () => ({})),
		credentials,
	});

const create = (credentials: CredentialStore, more: Partial<RunOptions> = {}) =>
	runNode({
		node: inOlderN8n(new AgencyShiftSchedules()),
		parameters: { fields: { name: 'A' }, options: { maxTries: 1 } },
		credentials,
		nodeSettings: { onError: 'continueErrorOutput' },
		...more,
	});

const tokenRequests = () =>
	sandbox.exchanges.filter(({ operation }) => operation === 'passwordToken');

test('40 requests with a revoked token cause one token request, and the token is stored', async () => {
	const store = passwordGrant();
	await read(store);
	sandbox.accounts.revokeTokens();
	sandbox.exchanges.length = 0;
	const { json, error } = await read(store, 40);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(40);
	expect(tokenRequests()).toHaveLength(1);
	const { accessToken } = JSON.parse(store.read('account').accessToken as string) as IDataObject;
	expect(sandbox.exchanges.at(-1)!.headers.authorization).toBe(accessToken);
});

test('where n8n has no place for hints, the output is the same', async () => {
	const { json, error, hints } = await read(passwordGrant(), 1, { etag: '' });
	expect([error, json.length, hints]).toEqual([undefined, 1, []]);
	expect(json[0]).toHaveProperty('shift');
});

/** Changes the stored credential while the first request of a run is under way, and ends its token. */
async function runWhileChanging(changes: ICredentialDataDecryptedObject) {
	const service = await startFakeService(({ headers }, response) => {
		if (headers.authorization === 'fake-access-token-1') {
			const row = store.read('account');
			store.rows.set('account', { ...row, ...changes });
			return response.writeHead(401).end('{}');
		}
		response.writeHead(201).end('{"shiftScheduleID": 1}');
	});
	const store = credentialsFor(service.url);
	const { json, errorItems } = await create(store);
	await service.close();
	return { json, failures: errorItems.map((item) => item.json), paths: service.paths, store };
}

test('what is changed in the credential during a run is not overwritten with what the run has', async () => {
	const { json, store } = await runWhileChanging({ authorizationHeader: 'bearer' });
	expect(json).toHaveLength(1);
	expect(store.read('account').authorizationHeader).toBe('bearer');
});

test('a run does not go on with settings that it did not begin with', async () => {
	const { failures, store, paths } = await runWhileChanging({ password: 'new' });
	expect(failures).toMatchObject([
		{
			message: 'The credential was changed while this run used it.',
			error: { outcome: 'notSent', retryable: true },
		},
	]);
	expect(paths.filter((path) => path.includes('Token'))).toHaveLength(1);
	expect(store.read('account').password).toBe('new');
});

test('a refused sign-in is told in the words of the service', async () => {
	const { errorItems } = await create(passwordGrant({ password: 'not-the-password' }));
	expect(errorItems.map(({ json }) => json)).toMatchObject([
		{
			message: expect.stringMatching(/^Sign-in was refused: .*password is wrong/),
			error: { outcome: 'notSent', retryable: false },
		},
	]);
});

test('a connection that breaks leaves a write in doubt; one that is refused has sent nothing', async () => {
	let connections = 0;
	const service = await startFakeService((_, response) => {
		connections++;
		response.destroy();
	});
	const store = credentialsFor(service.url);
	const broken = await create(store);
	expect(connections).toBe(1);
	await service.close();
	const refused = await create(store);
	expect([...broken.errorItems, ...refused.errorItems].map(({ json }) => json)).toMatchObject([
		{
			message: expect.stringContaining('the connection broke'),
			error: { outcome: 'unknown', retryable: false },
		},
		{
			message: expect.stringContaining('nothing answers there'),
			error: { outcome: 'notSent', retryable: true },
		},
	]);
});

test.each(['nodes/AgencyShifts/AgencyShifts.node', 'credentials/AgencyRecordsApi.credentials'])(
	'an n8n that is too old for %s is told so',
	(file) => {
		jest.isolateModules(() => {
			// n8n-workflow before 1.83.
			jest.doMock('n8n-workflow', () => ({ UserError: Error }));
			expect(() => jest.requireActual<object>(`../../../${file}`)).toThrow(
				/needs n8n 1\.85 or newer/,
			);
		});
	},
);
