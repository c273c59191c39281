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

/**
 * A workflow from a file, after its person chose the one credential there is.
 * @returns ID of the workflow
 */
export async function importWorkflow(session: Session, file: WorkflowFile): Promise<string> {
	const [{ id, name }] = (await session.get('/credentials')) as [{ id: string; name: string }];
	const nodes = file.nodes.map((node) =>
		node.credentials ? { ...node, credentials: { agencyRecordsApi: { id, name } } } : node,
	);
	const { connections, pinData, settings } = file;
	return await create(session, { name: file.name, nodes, connections, pinData, settings });
}
