// Creates workflows in a running n8n, as users have them before a task begins.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { manualTriggerType, workflowOf, type WorkflowFile } from '../n8n-in-process/workflow.mts';

import type { N8nSession } from './fullN8n.mts';

/** @returns the ID of the workflow */
export const createWorkflow = async (session: N8nSession, workflow: object): Promise<string> =>
	((await session.post('/workflows', { active: false, ...workflow })) as { id: string }).id;

/** Rows as a spreadsheet gives them: the columns are the fields. */
export const pinnedRows = (records: readonly IDataObject[]): INodeExecutionData[] =>
	records.map((json) => ({ json }));

/**
 * Creates a workflow of one trigger with pinned rows, as if a spreadsheet had given them.
 * @param name the name of the workflow and of the trigger
 * @returns the ID of the workflow
 */
export const workflowWithRows = (
	session: N8nSession,
	name: string,
	rows: readonly INodeExecutionData[],
): Promise<string> =>
	createWorkflow(
		session,
		workflowOf(name, [{ name, type: manualTriggerType }], {
			pinData: { [name]: [...rows] },
			settings: { timezone: 'America/Chicago' },
		}),
	);

interface ChosenCredential {
	id: string;
	name: string;
}

/**
 * Imports a workflow from a file and chooses a credential of each type, as its user would.
 * @param credential the ID of the credential to choose if there are several of a type
 * @returns the ID of the workflow
 */
export async function importWorkflow(
	session: N8nSession,
	file: WorkflowFile,
	credential?: string,
): Promise<string> {
	const known = (await session.get('/credentials')) as Array<ChosenCredential & { type: string }>;
	const chosen: Record<string, ChosenCredential> = {};
	for (const { id, name, type } of known) {
		if (id === credential || !chosen[type]) chosen[type] = { id, name };
	}
	const nodes = file.nodes.map((node) => {
		const types = Object.keys(node.credentials ?? {}).filter((type) => type in chosen);
		if (types.length === 0) return node;
		return { ...node, credentials: Object.fromEntries(types.map((type) => [type, chosen[type]!])) };
	});
	const { connections, pinData, settings } = file;
	return await createWorkflow(session, { name: file.name, nodes, connections, pinData, settings });
}
