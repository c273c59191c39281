// Runs a workflow file through n8n's own engine, as a manual execution in the editor would.
import type {
	IConnections,
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IPinData,
	IRun,
	IRunExecutionData,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
	IWorkflowSettings,
	Workflow,
} from 'n8n-workflow';

import { CredentialsHelper, type CredentialStore } from './credentials.mts';
import { core, workflow as n8n } from './n8n.mts';

/** The part of an exported workflow that is needed to run it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

export interface RunEnvironment {
	/** Node types by full name, such as `n8n-nodes-agency-records.agencyVendors`. */
	nodeTypes: Record<string, INodeType>;
	credentialTypes: ICredentialType[];
	credentials: CredentialStore;
}

export interface WorkflowRun {
	run: IRun;
	/** The last run of a node; undefined if it did not run. */
	task: (nodeName: string) => ITaskData | undefined;
	/** Output items of a node, by output. */
	output: (nodeName: string) => INodeExecutionData[][];
}

/** A node of a workflow, without values that have defaults. */
export type Step = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** A workflow whose steps follow one another. */
export const workflowOf = (
	name: string,
	steps: readonly Step[],
	more: Pick<WorkflowFile, 'pinData' | 'settings'> = {},
): WorkflowFile => ({
	name,
	nodes: steps.map((step, at) => ({
		id: String(at),
		typeVersion: 1,
		position: [200 * at, 0],
		...step,
		// n8n saves them as JSON, which has no undefined.
		parameters: JSON.parse(JSON.stringify(step.parameters ?? {})) as INodeParameters,
	})),
	connections: Object.fromEntries(
		steps
			.slice(1)
			.map((step, before) => [
				steps[before]!.name,
				{ main: [[{ node: step.name, type: 'main', index: 0 }]] },
			]),
	),
	...more,
});

/** Starts a manual execution. The node after it receives the items that are pinned on it. */
const manualTrigger: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
};

export const manualTriggerType = 'n8n-nodes-base.manualTrigger';

export class NodeTypes implements INodeTypes {
	private readonly types: Record<string, INodeType>;

	constructor(types: Record<string, INodeType>) {
		this.types = { ...types, [manualTriggerType]: manualTrigger };
	}

	getByName(name: string): INodeType {
		const type = this.types[name];
		if (!type) throw new n8n.UserError(`There is no node type "${name}"`);
		return type;
	}

	getByNameAndVersion(name: string): INodeType {
		return this.getByName(name);
	}

	getKnownTypes(): never {
		throw new n8n.UnexpectedError('Known types are not used here');
	}
}

/** The number of executions that this process has started. */
let executions = 0;

/** n8n builds addresses from this. Nothing listens there. */
const n8nUrl = 'http://127.0.0.1/';

/** The data that n8n's server passes to its engine along with the workflow. */
export function additionalData({
	credentialTypes,
	credentials,
}: RunEnvironment): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new CredentialsHelper(credentialTypes, credentials),
		hooks: new core.ExecutionLifecycleHooks('manual', 'run', {} as never),
		executionId: `run ${++executions}`,
		restApiUrl: n8nUrl,
		instanceBaseUrl: n8nUrl,
		formWaitingBaseUrl: n8nUrl,
		webhookBaseUrl: n8nUrl,
		webhookWaitingBaseUrl: n8nUrl,
		webhookTestBaseUrl: n8nUrl,
		variables: {},
		userId: 'user',
		currentNodeParameters: undefined,
		logAiEvent() {},
		sendDataToUI() {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** Changes the data of an execution as n8n's server does before it retries it "with currently saved workflow". */
function toRetry(saved: IRunExecutionData, workflow: Workflow): IRunExecutionData {
	const data = structuredClone(saved);
	for (const entry of data.executionData!.nodeExecutionStack) {
		entry.node = workflow.getNode(entry.node.name)!;
	}
	delete data.resultData.error;
	const last = data.resultData.runData[data.resultData.lastNodeExecuted ?? ''];
	if (last?.at(-1)?.error) last.pop();
	return data;
}

/**
 * @param file a workflow that starts with a Manual Trigger on which its input is pinned
 * @param onNode called when a node has finished
 * @param cancel cancels the execution when it is aborted, as the editor's stop button does
 */
export async function runWorkflow(
	file: WorkflowFile,
	parts: RunEnvironment,
	{
		onNode,
		cancel,
		retryOf,
		staticData = {},
		mode = 'manual',
	}: {
		onNode?: (name: string, task: ITaskData) => void;
		cancel?: AbortSignal;
		/** The saved data of an execution that is retried. */
		retryOf?: IRunExecutionData;
		/** The data that a published workflow keeps between executions. */
		staticData?: IDataObject;
		/** How it was started; by default, by a person in the editor. */
		mode?: WorkflowExecuteMode;
	} = {},
): Promise<WorkflowRun> {
	const workflow = new n8n.Workflow({
		id: 'workflow',
		name: file.name,
		nodes: structuredClone(file.nodes),
		connections: file.connections,
		active: false,
		nodeTypes: new NodeTypes(parts.nodeTypes),
		staticData: structuredClone(staticData),
		settings: { executionOrder: 'v1', ...file.settings },
	});
	const data = additionalData(parts);
	if (onNode) {
		data.hooks!.addHandler('nodeExecuteAfter', async (name, task) => onNode(name, task));
	}
	const startNode = file.nodes.find(({ type }) => type === manualTriggerType);
	const execution = retryOf
		? new core.WorkflowExecute(data, 'retry', toRetry(retryOf, workflow)).processRunExecutionData(
				workflow,
			)
		: new core.WorkflowExecute(data, mode).run({
				workflow,
				startNode: startNode && workflow.getNode(startNode.name)!,
				pinData: file.pinData,
			});
	cancel?.addEventListener('abort', () => execution.cancel());
	const run = await execution;
	Object.assign(staticData, JSON.parse(JSON.stringify(workflow.staticData)));
	const task = (name: string) => run.data.resultData.runData[name]?.at(-1);
	return {
		run,
		task,
		output: (name) => (task(name)?.data?.main ?? []).map((items) => items ?? []),
	};
}
