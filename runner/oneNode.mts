// The smallest workflow: items pinned on a trigger, and one node that gets them.
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeCredentials,
	INodeExecutionData,
	INodeParameters,
	IWorkflowSettings,
} from 'n8n-workflow';

import { CredentialStore } from './credentials.mts';
import { manualTriggerType, type WorkflowFile } from './workflow.mts';

/** Name of the node in the workflow. */
export const nodeName = 'Node';

export interface OneNode {
	/** Full name of its type. */
	type: string;
	/** As the editor saves them. */
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** Node settings such as onError and retryOnFail. */
	node$?: Partial<INode>;
	settings?: IWorkflowSettings;
}

/** ID of the credential the node uses. */
const account = 'account';
export const credentials: INodeCredentials = { agencyRecordsApi: { id: account, name: account } };

/** Holds the credential of the node. */
export const storeWith = (credential: ICredentialDataDecryptedObject): CredentialStore => {
	const store = new CredentialStore();
	store.rows.set(account, credential);
	return store;
};

const at = { typeVersion: 1, position: [0, 0] as [number, number] };

/** A workflow to run with storeWith(). */
export const workflowOf = ({
	type,
	parameters,
	items,
	node$,
	settings,
}: OneNode): WorkflowFile => ({
	name: 'One node',
	nodes: [
		{ ...at, id: '1', name: 'Start', type: manualTriggerType, parameters: {} },
		{ ...at, id: '2', name: nodeName, type, parameters, credentials, ...node$ },
	],
	connections: { Start: { main: [[{ node: nodeName, type: 'main', index: 0 }]] } },
	pinData: { Start: items },
	settings: { timezone: 'America/New_York', ...settings },
});
