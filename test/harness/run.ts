// One node through the real n8n-core: pinned items in, output items or the node's error out.
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWorkflowSettings,
} from 'n8n-workflow';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { CredentialStore } from '../../runner/credentials.mts';
import { manualTriggerType, runWorkflow } from '../../runner/workflow.mts';

export const storeWith = (credential: ICredentialDataDecryptedObject): CredentialStore => {
	const store = new CredentialStore();
	store.rows.set('account', credential);
	return store;
};

export interface RunOptions {
	node: INodeType;
	/** The node's parameters, as the editor saves them. */
	parameters: INodeParameters;
	/** Input items; one empty item by default. */
	items?: INodeExecutionData[] | IDataObject[];
	credentials: CredentialStore;
	/** Node settings such as onError and retryOnFail. */
	node$?: Partial<INode>;
	settings?: IWorkflowSettings;
	cancel?: AbortSignal;
}

export interface RunResult {
	/** Items of the main output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	errorItems: INodeExecutionData[];
	json: IDataObject[];
	/** Texts shown beside the output. */
	hints: string[];
	/** The error that stopped the node. */
	error?: Error & { description?: string | null; httpCode?: string | null };
	/** Everything n8n would save of this execution, as text. */
	saved: string;
}

const asItem = (item: INodeExecutionData | IDataObject): INodeExecutionData =>
	'json' in item ? (item as INodeExecutionData) : { json: item };

export async function runNode(options: RunOptions): Promise<RunResult> {
	const { node, parameters, credentials, node$, settings, cancel } = options;
	const type = `n8n-nodes-agency-records.${node.description.name}`;
	const { run, task, output } = await runWorkflow(
		{
			name: 'test',
			nodes: [
				{
					id: '1',
					name: 'Start',
					type: manualTriggerType,
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				{
					id: '2',
					name: 'Node',
					type,
					typeVersion: 1,
					position: [0, 0],
					parameters,
					credentials: { agencyRecordsApi: { id: 'account', name: 'account' } },
					...node$,
				},
			],
			connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
			pinData: { Start: (options.items ?? [{}]).map(asItem) },
			settings: { timezone: 'America/New_York', ...settings },
		},
		{
			nodeTypes: { [type]: node },
			credentialTypes: [new AgencyRecordsApi()],
			credentials,
		},
		{ cancel },
	);
	const [items = [], errorItems = []] = output('Node');
	return {
		items,
		errorItems,
		json: items.map(({ json }) => json),
		hints: (task('Node')?.hints ?? []).map(({ message }) => message),
		error: task('Node')?.error as RunResult['error'],
		saved: JSON.stringify(run),
	};
}
