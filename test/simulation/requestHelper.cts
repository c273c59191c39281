// What n8n gives to any node, with its request helpers: one sends, the other signs in when there is no token, stores it,
// and signs the request.
import type { ICredentialDataDecryptedObject, IHttpRequestOptions, INode } from 'n8n-workflow';

import type * as Credential from '../../credentials/AgencyRecordsApi.credentials';
import type { N8nProcess } from './n8nProcess.cts';
import type { SimulatedService } from './service.cts';

/** What all executions share. */
export interface Account {
	service: SimulatedService;
	/** The credential as n8n's database has it. */
	credential: ICredentialDataDecryptedObject;
}

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

function signInHelper(process: N8nProcess, { service, credential }: Account) {
	const { AgencyRecordsApi } = process.load<typeof Credential>(
		'credentials/AgencyRecordsApi.credentials',
	);
	const type = new AgencyRecordsApi();
	const signIn = async (data: ICredentialDataDecryptedObject) => {
		const httpRequest = (request: IHttpRequestOptions) => service.request(process, request);
		const stored = await type.preAuthentication.call(
			{ helpers: { httpRequest } } as unknown as ThisParameterType<typeof type.preAuthentication>,
			data,
		);
		await process.world.pause(2, process);
		Object.assign(credential, stored);
		return { ...data, ...stored };
	};
	return async (
		_type: string,
		request: IHttpRequestOptions,
		{ credentialsDecrypted }: { credentialsDecrypted: { data: ICredentialDataDecryptedObject } },
	) => {
		const { data } = credentialsDecrypted;
		const withToken = data.accessToken ? data : await signIn(data);
		return await (type.authenticate as Authenticate)(withToken, request);
	};
}

/**
 * What n8n gives to any node.
 * @param execution that asks, if it is one
 */
export function anyContext(
	process: N8nProcess,
	account: Account,
	about: Pick<INode, 'name' | 'type' | 'parameters'>,
	execution: object,
) {
	const silent = () => {};
	const node: INode = { id: 'node', typeVersion: 1, position: [0, 0], ...about };
	return {
		getNode: () => node,
		getTimezone: () => 'America/New_York',
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
		getMode: () => 'trigger',
		getCredentials: async () => {
			await process.world.pause(1, process);
			return { ...account.credential };
		},
		logger: { debug: silent, info: silent, warn: silent, error: silent },
		helpers: {
			httpRequest: (request: IHttpRequestOptions) =>
				account.service.request(process, request, request.abortSignal as AbortSignal, execution),
			httpRequestWithAuthentication: signInHelper(process, account),
		},
	};
}
