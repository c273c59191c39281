// Other nodes that use the credential: those with n8n's older request helper, as the HTTP Request node does.
import type { IDataObject, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { runNode } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor, useSandbox } from '../../harness/useSandbox';

const sandbox = useSandbox();

describe('a node that uses the older request helper, as the HTTP Request node does', () => {
	const caller = (uri: () => string): INodeType => ({
		description: {
			...new AgencyShifts().description,
			name: 'caller',
			properties: [],
		},
		async execute() {
			const body = (await this.helpers.requestWithAuthentication.call(this, 'agencyRecordsApi', {
				method: 'GET',
				uri: uri(),
				headers: { 'Content-Type': 'application/json' },
				json: true,
				followAllRedirects: true,
			})) as IDataObject;
			return [[{ json: body }]];
		},
	});
	const call = (uri: () => string, credentials = sandbox.credentials({ grantType: 'password' })) =>
		runNode({ node: caller(uri), parameters: {}, credentials });

	test('is signed in', async () => {
		const { json, error } = await call(() => `${sandbox.url}/agencyshifts/shifts/101`);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ shift: { shift: 'A' } }]);
	});

	test('is signed in anew when its token has ended', async () => {
		const credentials = sandbox.credentials({ grantType: 'password' });
		const uri = () => `${sandbox.url}/agencyshifts/shifts/101`;
		await call(uri, credentials);
		sandbox.accounts.revokeTokens();
		sandbox.exchanges.length = 0;
		const { json } = await call(uri, credentials);
		expect(json).toMatchObject([{ shift: { shift: 'A' } }]);
		expect(sandbox.exchanges.map(({ operation }) => operation)).toEqual([
			'getShift',
			'passwordToken',
			'getShift',
		]);
	});

	test('reaches no other host, not even through a redirect', async () => {
		const elsewhere = await startFakeService((_, response) => response.end('{}'));
		const redirecting = await startFakeService((_, response) =>
			response.writeHead(307, { location: `${elsewhere.url}/shifts` }).end(),
		);
		const errors: unknown[] = [];
		for (const [url, host] of [
			[redirecting.url, redirecting.url],
			[elsewhere.url, sandbox.url],
		] as const) {
			const credentials = credentialsFor(host);
			const node = caller(() => `${url}/shifts`);
			errors.push((await runNode({ node, parameters: {}, credentials })).error);
		}
		await Promise.all([elsewhere.close(), redirecting.close()]);
		expect(errors).toEqual([expect.any(Object), expect.any(Object)]);
		expect(redirecting.paths).toContain('/shifts');
		expect(elsewhere.paths).toEqual([]);
	});
});
