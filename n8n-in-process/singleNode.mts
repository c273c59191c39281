// The smallest workflow: a trigger with pinned items, and one node that receives them.
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeCredentials,
	INodeExecutionData,
	INodeParameters,
	IWorkflowSettings,
} from 'n8n-workflow';

import { CredentialStore } from './credentials.mts';
import { manualTriggerType, workflowOf, type WorkflowFile } from './workflow.mts';

/** The name of the node in the workflow. */
export const nodeName = 'Node';

export interface SingleNode {
	/** The full name of the node's type. */
	type: string;
	/** The parameters as the editor saves them. */
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** Settings of the node, such as onError and retryOnFail. */
	nodeSettings?: Partial<INode>;
	settings?: IWorkflowSettings;
}

/** The ID of the credential that the node uses. */
const credentialId = 'account';
export const singleNodeCredentials: INodeCredentials = {
	agencyRecordsApi: { id: credentialId, name: credentialId },
};

/** @returns a store that holds the credential of the node */
export const credentialStoreWith = (
	credential: ICredentialDataDecryptedObject,
): CredentialStore => {
	const store = new CredentialStore();
	store.rows.set(credentialId, credential);
	return store;
};

/** @returns a workflow to run with the credentials of credentialStoreWith() */
export const singleNodeWorkflow = ({
	type,
	parameters,
	items,
	nodeSettings,
	settings,
}: SingleNode): WorkflowFile =>
	workflowOf(
		'One node',
		[
			{ name: 'Start', type: manualTriggerType },
			{ name: nodeName, type, parameters, credentials: singleNodeCredentials, ...nodeSettings },
		],
		{ pinData: { Start: items }, settings: { timezone: 'America/New_York', ...settings } },
	);
