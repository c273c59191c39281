// Other nodes that use the credential: those with n8n's older request helper, as the HTTP Request node does.
import type { IDataObject, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { runNode } from '../../harness/run';
import { useSandbox } from '../../harness/useSandbox';

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
	const call = (uri: () => string, credentials: CredentialStore) =>
		runNode({ node: caller(uri), parameters: {}, credentials });

	test('is signed in, and anew when its token has ended', async () => {
		const credentials = sandbox.credentials({ grantType: 'password' });
		const uri = () => `${sandbox.url}/agencyshifts/shifts/101`;
		expect((await call(uri, credentials)).json).toMatchObject([{ shift: { shift: 'A' } }]);
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
});
