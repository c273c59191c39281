// Makes workflows in a running n8n, as a person would have them before the task begins.
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { manualTriggerType, type WorkflowFile } from '../runner/workflow.mts';

import type { Session } from './n8n.mts';

/** @returns ID of the workflow */
export const create = async (session: Session, workflow: object): Promise<string> =>
	((await session.post('/workflows', { active: false, ...workflow })) as { id: string }).id;

/**
 * Starts a workflow as the button on the canvas does.
 * @param trigger name of the node it begins with
 * @returns ID of the execution
 */
export async function start(session: Session, id: string, trigger: string): Promise<string> {
	const started = (await session.post(`/workflows/${id}/run`, {
		workflowData: await session.get(`/workflows/${id}`),
		triggerToStartFrom: { name: trigger },
	})) as { executionId: string };
	return started.executionId;
}

export interface Row {
	json: IDataObject;
	binary?: IBinaryKeyData;
}

/** Rows with the columns of a spreadsheet. */
export const rowsOf = (records: readonly IDataObject[]): Row[] => records.map((json) => ({ json }));

/**
 * A workflow of one node: a trigger that gives rows, as if a spreadsheet had given them.
 * @param name of the trigger
 * @returns ID of the workflow
 */
export const workflowWithRows = (
	session: Session,
	name: string,
	rows: readonly Row[],
): Promise<string> =>
	create(session, {
		name,
		nodes: [
			{
				id: 'rows',
				name,
				type: manualTriggerType,
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
		],
		connections: {},
		pinData: { [name]: rows },
		settings: { timezone: 'America/Chicago' },
	});

interface Chosen {
	id: string;
	name: string;
}

/**
 * A workflow from a file, after its person chose a credential of each type.
 * @param credential its ID, where there are several of a type
 * @returns ID of the workflow
 */
export async function importWorkflow(
	session: Session,
	file: WorkflowFile,
	credential?: string,
): Promise<string> {
	const known = (await session.get('/credentials')) as Array<Chosen & { type: string }>;
	const chosen: Record<string, Chosen> = {};
	for (const { id, name, type } of known) {
		if (id === credential || !chosen[type]) chosen[type] = { id, name };
	}
	const nodes = file.nodes.map((node) => {
		const types = Object.keys(node.credentials ?? {}).filter((type) => type in chosen);
		if (types.length === 0) return node;
		return { ...node, credentials: Object.fromEntries(types.map((type) => [type, chosen[type]!])) };
	});
	const { connections, pinData, settings } = file;
	return await create(session, { name: file.name, nodes, connections, pinData, settings });
}
