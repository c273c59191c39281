// A polling trigger as n8n's server runs it: activated, polled through n8n's own engine, its static data saved when
// it gives items.
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { core, Container, workflow as n8n } from './n8n.mts';
import { credentials, nodeName } from './oneNode.mts';
import { additionalData, NodeTypes, type Parts } from './workflow.mts';

export interface PollingTrigger {
	/** Full name of its type. */
	type: string;
	/** As the editor saves them. */
	parameters: INodeParameters;
	/** As it was saved; empty for a new workflow. */
	staticData?: IDataObject;
}

/** What n8n's server does with what a poll gives. */
export interface Server {
	/** Creates an execution. */
	onItems: (items: INodeExecutionData[]) => void;
	/** Saves the static data: called beside onItems(), and when the trigger was activated. */
	onStaticData: (staticData: IDataObject) => void;
	/** Shows a failed execution. */
	onError: (error: Error) => void;
}

export interface ActiveTrigger {
	/** A tick of its schedule. */
	poll: () => Promise<void>;
	/** What the engine holds; what is saved may be older. */
	readonly staticData: IDataObject;
}

const copy = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

function prepared({ type, parameters, staticData }: PollingTrigger, parts: Parts) {
	const node = {
		id: '1',
		name: nodeName,
		type,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		credentials,
	};
	const workflow = new n8n.Workflow({
		id: 'workflow',
		name: 'Polling',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: new NodeTypes(parts.nodeTypes),
		staticData: staticData && copy(staticData),
		settings: { executionOrder: 'v1', timezone: 'America/New_York' },
	});
	return { workflow, node: workflow.getNode(nodeName)! };
}

/**
 * Activates the trigger: n8n polls it once at once.
 * @throws what that poll throws
 */
export async function activate(
	trigger: PollingTrigger,
	parts: Parts,
	{ onItems, onStaticData, onError }: Server,
): Promise<ActiveTrigger> {
	const { workflow, node } = prepared(trigger, parts);
	const save = () => onStaticData(copy(workflow.staticData));
	const functions = new core.PollContext(
		workflow,
		node,
		additionalData(parts),
		'trigger',
		'activate',
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

/** "Fetch Test Event" in the editor. */
export async function fetchTestEvent(
	trigger: PollingTrigger,
	parts: Parts,
): Promise<INodeExecutionData[]> {
	const { workflow, node } = prepared(trigger, parts);
	const functions = new core.PollContext(workflow, node, additionalData(parts), 'manual', 'manual');
	const type = workflow.nodeTypes.getByNameAndVersion(node.type);
	const given = await type.poll!.call(functions);
	return given?.[0] ?? [];
}
