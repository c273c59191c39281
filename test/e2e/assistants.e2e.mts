// An AI assistant that knows only the outputs of n8n's MCP tools: it searches for a node, reads its type and builds
// workflows, which run at the first try.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { IDataObject } from 'n8n-workflow';

import { errorOfExecution, outputOfNode } from '../../n8n-full/executions.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { connectToMcp, type CallTool } from '../../n8n-full/mcpClient.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { aDay } from '../harness/aDay.mts';

interface Task {
	/** The search. */
	words: string;
	node: string;
	/** A row with the columns that the node's pattern uses. */
	row: IDataObject;
	/** The operation that reaches the sandbox, and its body. */
	request: [operation: string, body?: IDataObject];
}

const agency = (name: string) => `n8n-nodes-agency-records.agency${name}`;
const tasks: Task[] = [
	{
		words: 'duty roster',
		node: 'ShiftSchedules',
		row: { name: 'A shift', ...aDay },
		request: ['createShiftSchedule', { name: 'A shift', ...aDay }],
	},
	{ words: 'shift color', node: 'Shifts', row: { shiftID: 101 }, request: ['getShift'] },
	{ words: 'suppliers', node: 'Vendors', row: {}, request: ['listVendors'] },
	{ words: 'NEMSIS device codes', node: 'Nemsis3', row: {}, request: ['listDeviceCodes'] },
	{
		words: 'firefighter certifications',
		node: 'Licenses',
		row: { path: '/101', userID: 12 },
		request: ['patchLicenses'],
	},
	{
		words: 'volunteer points',
		node: 'Users',
		row: { userID: 101, actualPoints: 5 },
		request: ['createLosapPoint', { actualPoints: 5 }],
	},
	{
		words: 'wildfire incident',
		node: 'Exposures',
		row: { exposureID: 101, IncidentName: 'Ridge Road Fire' },
		request: ['createWildlandFire', { IncidentName: 'Ridge Road Fire' }],
	},
	{
		words: 'SOP folder',
		node: 'Library',
		row: { categoryTitle: 'SOPs' },
		request: ['createLibraryCategory', { categoryTitle: 'SOPs' }],
	},
	{
		words: 'broken equipment',
		node: 'Notifications',
		row: { description: 'Low air pressure', equipmentID: 2001, status: 'Out of service' },
		request: ['createNotification'],
	},
	{
		words: 'open house attendance',
		node: 'Events',
		row: { eventID: 101, eventName: 'Open house' },
		request: ['addEventPeople', { eventName: 'Open house' }],
	},
];

let environment: N8nWithSandbox;
let session: N8nSession;
let callTool: CallTool;

before(async () => {
	environment = await openN8nWithSandbox(15_698);
	const { n8n, credential } = environment;
	await n8n.import('credentials', [credential(exampleCredentialId, 'password')]);
	session = await environment.start();
	callTool = await connectToMcp(session);
});
after(() => environment?.close());

void test('each search names the right node', async (t) => {
	const queries = tasks.map(({ words }) => words);
	const { results } = (await callTool('search_nodes', { queries })) as { results: string };
	const found = results.split(/^## "/m).slice(1);
	assert.equal(found.length, tasks.length);
	const nodesIn = (text: string) => [...text.matchAll(/^- (\S+)/gm)].map(([, id]) => id);
	const named = tasks.filter(({ node }, at) => nodesIn(found[at]!).includes(agency(node)));
	const first = tasks.filter(({ node }, at) => nodesIn(found[at]!)[0] === agency(node));
	t.diagnostic(`named in ${named.length} of ${tasks.length} searches, first in ${first.length}`);
	assert.deepEqual(named, tasks);
});

/** The parameters in the pattern of a node's type definition. */
async function patternOf(node: string): Promise<string> {
	const nodeIds = [{ nodeId: agency(node) }];
	const { definitions } = (await callTool('get_node_types', { nodeIds })) as {
		definitions: string;
	};
	// Hidden inputs would be shown as `unknown`.
	assert.doesNotMatch(definitions, /unknown/);
	return /^ \* parameters: (.+)$/m.exec(definitions)![1]!;
}

/** A workflow in n8n's builder language: a row, and the node that reads it. */
const codeOf = ({ node, row }: Task, parameters: string): string => `
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });
const rows = node({
	type: 'n8n-nodes-base.code',
	version: 2,
	config: { name: 'Rows', parameters: { jsCode: ${JSON.stringify(`return [{ json: ${JSON.stringify({ rowID: 7, ...row })} }];`)} } },
});
const step = node({ type: '${agency(node)}', version: 1, config: { name: 'Step', parameters: ${parameters} } });
export default workflow('${node}', '${node}').add(start).to(rows).to(step);`;

for (const task of tasks)
	void test(`${task.words}: the pattern of the type runs`, async () => {
		const { exchanges } = environment;
		exchanges.length = 0;
		const code = codeOf(task, await patternOf(task.node));
		const created = (await callTool('create_workflow_from_code', { code })) as {
			workflowId?: string;
			error?: string;
		};
		assert.ok(created.workflowId, created.error);
		const { executionId } = (await callTool('execute_workflow', {
			workflowId: created.workflowId,
			executionMode: 'manual',
		})) as { executionId: string };
		const status = await session.endOf(executionId);
		assert.equal(status, 'success', await errorOfExecution(session, executionId));
		assert.ok((await outputOfNode(session, executionId, 'Step')).length > 0);
		const [operation, body] = task.request;
		const sent = exchanges.filter((one) => one.operation === operation);
		assert.ok(sent.length > 0, exchanges.map((one) => one.operation).join());
		if (body)
			assert.deepEqual(
				sent.map((one) => one.body),
				[body],
			);
	});
