// n8n's context for any node, with its request helper: it signs in if there is no token, stores the token, signs the
// request and sends it.
import type {
	IAdditionalCredentialOptions,
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import type * as Credential from '../../credentials/AgencyRecordsApi.credentials';
import type { N8nProcess } from './n8nProcess.cts';
import type { SimulatedService } from './service.cts';

/** The state that all executions share. */
export interface Account {
	service: SimulatedService;
	/** The credential in n8n's database. */
	credential: ICredentialDataDecryptedObject;
}

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** The functions of n8n that a simulated node calls, with n8n's own types. */
export type Simulated<Functions extends { helpers: object }> = Partial<
	Omit<Functions, 'helpers'>
> & { helpers: Partial<Functions['helpers']> };

/** @param execution that asks, if it is one */
function requestHelper(process: N8nProcess, { service, credential }: Account, execution: object) {
	const { AgencyRecordsApi } = process.load<typeof Credential>(
		'credentials/AgencyRecordsApi.credentials',
	);
	const type = new AgencyRecordsApi();
	const signIn = async (data: ICredentialDataDecryptedObject) => {
		const httpRequest = (request: IHttpRequestOptions) => service.request(process, request);
		const stored = await type.preAuthentication.call(
			{ helpers: { httpRequest } } as ThisParameterType<typeof type.preAuthentication>,
			data,
		);
		await process.world.pause(2, process);
		Object.assign(credential, stored);
		return { ...data, ...stored };
	};
	return async function (
		this: IAllExecuteFunctions,
		_type: string,
		request: IHttpRequestOptions,
		more?: IAdditionalCredentialOptions,
	) {
		const data = more!.credentialsDecrypted!.data!;
		const withToken = data.accessToken ? data : await signIn(data);
		const signed = await (type.authenticate as Authenticate)(withToken, request);
		const signal = (this as IExecuteFunctions).getExecutionCancelSignal?.();
		return await service.request(process, signed, signal, execution);
	};
}

/** n8n's context for any node. */
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
		getCredentials: async <T extends object>() => {
			await process.world.pause(1, process);
			return { ...account.credential } as object as T;
		},
		logger: { debug: silent, info: silent, warn: silent, error: silent },
		helpers: { httpRequestWithAuthentication: requestHelper(process, account, execution) },
	};
}
