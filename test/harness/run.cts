// One node through the real n8n-core: pinned items in, output items or the node's error out.
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRunExecutionData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import {
	nodeName,
	credentialStoreWith,
	singleNodeWorkflow,
} from '../../n8n-in-process/singleNode.mts';
import { useProductionLogLevel } from '../../n8n-in-process/n8n.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';

export { credentialStoreWith };

useProductionLogLevel();

export interface RunOptions {
	node: INodeType;
	/** The node's parameters, as the editor saves them. */
	parameters: INodeParameters;
	/** Input items; one empty item by default. */
	items?: INodeExecutionData[] | IDataObject[];
	credentials: CredentialStore;
	/** Node settings such as onError and retryOnFail. */
	nodeSettings?: Partial<INode>;
	settings?: IWorkflowSettings;
	cancel?: AbortSignal;
	/** An execution that is to be retried; its data as n8n has saved it. */
	retryOf?: IRunExecutionData;
	/** The data that the workflow keeps between executions. */
	staticData?: IDataObject;
	/** How the execution was started: by a person in the editor, unless it says otherwise. */
	mode?: WorkflowExecuteMode;
}

export interface RunResult {
	/** Items of the main output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	errorItems: INodeExecutionData[];
	json: IDataObject[];
	/** Texts shown next to the output. */
	hints: string[];
	/** The error that stopped the node. */
	error?: Error & { description?: string | null; httpCode?: string | null };
	/** Everything n8n would save of this execution, as text. */
	saved: string;
	data: IRunExecutionData;
}

/** Settings of a node whose failed items become error items. */
export const continueOnFail = { onError: 'continueRegularOutput' } as const;

/** The error of an error item; undefined for any other. */
export const errorOf = (item?: IDataObject) => item?.error as IDataObject | undefined;

/** The outcome of each item. */
export const outcomesOf = ({ json }: Pick<RunResult, 'json'>) =>
	json.map((item) => errorOf(item)?.outcome ?? (item.alreadySent ? 'alreadySent' : 'sent'));

const asItem = (item: INodeExecutionData | IDataObject): INodeExecutionData =>
	'json' in item ? (item as INodeExecutionData) : { json: item };

export async function runNode(options: RunOptions): Promise<RunResult> {
	const { node, parameters, items = [{}], credentials, nodeSettings, settings } = options;
	const { cancel, retryOf, staticData, mode } = options;
	const type = `n8n-nodes-agency-records.${node.description.name}`;
	const { run, task, output } = await runWorkflow(
		singleNodeWorkflow({ type, parameters, items: items.map(asItem), nodeSettings, settings }),
		{ nodeTypes: { [type]: node }, credentialTypes: [new AgencyRecordsApi()], credentials },
		{ cancel, retryOf, staticData, mode },
	);
	const [main = [], errorItems = []] = output(nodeName);
	let data: IRunExecutionData | undefined;
	return {
		items: main,
		errorItems,
		json: main.map(({ json }) => json),
		hints: (task(nodeName)?.hints ?? []).map(({ message }) => message),
		error: task(nodeName)?.error as RunResult['error'],
		// Computed on demand: for large runs they take longer than the run, and few tests use them.
		get saved() {
			return JSON.stringify(run);
		},
		get data() {
			return (data ??= JSON.parse(JSON.stringify(run.data)) as IRunExecutionData);
		},
	};
}

/** The node and its results, since n8n shows none of a cancelled node. */
export function watched(node: INodeType) {
	const seen: IDataObject[] = [];
	const execute = async function (this: IExecuteFunctions) {
		const output = (await node.execute!.call(this)) as INodeExecutionData[][];
		seen.push(...output[0]!.map(({ json }) => json));
		return output;
	};
	return { seen, node: { ...node, execute } as INodeType };
}
