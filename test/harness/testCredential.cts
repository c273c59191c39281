// The credential's Test button: calls n8n's helper in the same way, with the credential as typed in.
import type { ICredentialDataDecryptedObject, INodeType } from 'n8n-workflow';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { runNode, type RunResult } from './run.cts';

/**
 * @param unsaved values that are typed in but not saved
 * @returns the error, if the test fails
 */
export function testCredential(
	credentials: CredentialStore,
	unsaved: ICredentialDataDecryptedObject = {},
): Promise<Pick<RunResult, 'error'>> {
	const credential = { ...credentials.read('account'), ...unsaved };
	const { url, qs, headers } = new AgencyRecordsApi().test.request;
	const tester: INodeType = {
		description: { ...new AgencyShifts().description, name: 'tester', properties: [] },
		async execute() {
			const type = 'agencyRecordsApi';
			await this.helpers.httpRequestWithAuthentication.call(
				this,
				type,
				{
					baseURL: credential.baseUrl as string,
					url: url!,
					qs: qs!,
					headers: headers as Record<string, string>,
				},
				{ credentialsDecrypted: { id: '', name: '', type, data: credential } },
			);
			return [[{ json: {} }]];
		},
	};
	return runNode({ node: tester, parameters: {}, credentials });
}
