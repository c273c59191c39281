// Runs a polling trigger as n8n's server does: activates it, polls it through n8n's own engine, and saves its static
// data when it returns items.
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { core, Container, workflow as n8n } from './n8n.mts';
import { singleNodeCredentials, nodeName } from './singleNode.mts';
import { additionalData, NodeTypes, workflowOf, type RunEnvironment } from './workflow.mts';

export interface PollingTrigger {
	/** The full name of the trigger's type. */
	type: string;
	/** The parameters as the editor saves them. */
	parameters: INodeParameters;
	onError?: INode['onError'];
	/** The node's name and ID, if they are not those of a new workflow. */
	node?: Partial<Pick<INode, 'name' | 'id'>>;
	/** The saved static data; undefined for a new workflow. */
	staticData?: IDataObject;
}

/** n8n's server, as it handles the result of a poll. */
export interface Server {
	/** n8n creates an execution with the items. */
	onItems: (items: INodeExecutionData[]) => void;
	/** n8n saves the static data, before each onItems() and after the trigger was activated. */
	onStaticData: (staticData: IDataObject) => void;
	/** n8n shows a failed execution. */
	onError: (error: Error) => void;
}

export interface ActiveTrigger {
	/** Polls as the trigger's schedule does. */
	poll: () => Promise<void>;
	/** The static data in memory; it may be newer than the saved data. */
	readonly staticData: IDataObject;
}

const copy = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

function prepare(file: PollingTrigger, parts: RunEnvironment) {
	const { type, parameters, onError, staticData } = file;
	const trigger = {
		...{ name: nodeName, type, parameters, onError, credentials: singleNodeCredentials },
		...file.node,
	};
	const workflow = new n8n.Workflow({
		...workflowOf('Polling', [trigger]),
		id: 'workflow',
		active: true,
		nodeTypes: new NodeTypes(parts.nodeTypes),
		staticData: staticData && copy(staticData),
		settings: { executionOrder: 'v1', timezone: 'America/New_York' },
	});
	return { workflow, node: workflow.getNode(trigger.name)! };
}

/** Why n8n activates a trigger: a person publishes its workflow, or n8n itself starts. */
export type Activation = 'activate' | 'init';

/**
 * Activates the trigger. n8n polls it once immediately.
 * @throws what that first poll throws: n8n then leaves the trigger inactive
 */
export async function activate(
	trigger: PollingTrigger,
	parts: RunEnvironment,
	{ onItems, onStaticData, onError }: Server,
	activation: Activation = 'activate',
): Promise<ActiveTrigger> {
	const { workflow, node } = prepare(trigger, parts);
	const save = () => onStaticData(copy(workflow.staticData));
	const functions = new core.PollContext(
		workflow,
		node,
		additionalData(parts),
		'trigger',
		activation,
		([items = []]) => {
			save();
			onItems(items);
		},
		onError,
	);
	const executor = Container.get(core.PollTriggerExecutor);
	const poll = executor.create(workflow, node, functions, () => true);
	await poll(true);
	save();
	return {
		poll: async () => await poll(false),
		get staticData() {
			return workflow.staticData;
		},
	};
}

/** Does what the button "Fetch Test Event" of the editor does. */
export async function fetchTestEvent(
	trigger: PollingTrigger,
	parts: RunEnvironment,
): Promise<INodeExecutionData[]> {
	const { workflow, node } = prepare(trigger, parts);
	const functions = new core.PollContext(workflow, node, additionalData(parts), 'manual', 'manual');
	const type = workflow.nodeTypes.getByNameAndVersion(node.type);
	const given = await type.poll!.call(functions);
	return given?.[0] ?? [];
}
