// An AI assistant that knows only the outputs of n8n's MCP tools: it searches for a node, reads its type and builds
// workflows, which run at the first try. And what n8n's agents tell their model of a tool's call.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { IDataObject } from 'n8n-workflow';

import { errorOfExecution, outputOfNode } from '../../n8n-full/executions.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { startChatModel, type ChatModel } from '../../n8n-full/chatModel.mts';
import { connectToMcp, type CallTool } from '../../n8n-full/mcpClient.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { createWorkflow } from '../../n8n-full/workflows.mts';
import { manualTriggerType, workflowOf } from '../../n8n-in-process/workflow.mts';
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
let model: ChatModel;
const chatCredential = { id: 'chatModel', name: 'OpenAI' };

before(async () => {
	environment = await openN8nWithSandbox(15_698);
	const { n8n, credential } = environment;
	model = await startChatModel();
	const data = { apiKey: 'none', url: model.url };
	await n8n.import('credentials', [
		credential(exampleCredentialId, 'password'),
		{ ...chatCredential, type: 'openAiApi', data },
	]);
	session = await environment.start();
	callTool = await connectToMcp(session);
});
after(async () => {
	await model?.close();
	await environment?.close();
});

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

/** A tool as the page for assistants describes it, of an agent of this version. */
const toolOf = (typeVersion: number, onError: object, settings: object) => {
	const fields = ['name', 'fromDate', 'toDate'].map(
		(name) => [name, `={{ $fromAI('${name}', '${name}', 'string') }}`] as const,
	);
	const { connections, ...workflow } = workflowOf('Agent', [
		{ name: 'Start', type: manualTriggerType },
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion,
			parameters: { promptType: 'define', text: 'Plan it' },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
			credentials: { openAiApi: chatCredential },
		},
		{
			name: 'Plan_a_Shift',
			type: `${agency('ShiftSchedules')}Tool`,
			parameters: {
				descriptionType: 'manual',
				toolDescription: 'Plans a shift',
				operation: 'create',
				fields: Object.fromEntries(fields),
			},
			credentials: { agencyRecordsApi: { id: exampleCredentialId, name: '' } },
			...onError,
		},
	]);
	const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const subNodes = { Model: to('ai_languageModel'), Plan_a_Shift: to('ai_tool') };
	return { ...workflow, settings, connections: { Start: connections.Start, ...subNodes } };
};

/** What a tool's answer tells the model. */
function told(content: unknown): string {
	const [item] = [JSON.parse((content as string) || '""')].flat() as Array<IDataObject | ''>;
	if (!item) return 'nothing';
	if (typeof item.error === 'object')
		return `${(item.error as { outcome: string }).outcome}, and why`;
	return item.error ? 'why' : 'the record';
}

const continues = { onError: 'continueRegularOutput' };
const v1 = { executionOrder: 'v1' };
for (const [agent, onError, settings, failure, success] of [
	[2, continues, v1, 'notSent, and why', 'the record'],
	[2, continues, {}, 'notSent, and why', 'the record'],
	[2, {}, v1, 'nothing', 'the record'],
	[2, {}, {}, 'nothing', 'the record'],
	[3, continues, v1, 'notSent, and why', 'the record'],
	[3, continues, {}, 'nothing', 'nothing'],
	[3, {}, v1, 'why', 'the record'],
	[3, {}, {}, 'nothing', 'nothing'],
] as const)
	void test(`a tool of agent ${agent} with ${JSON.stringify({ ...onError, ...settings })}: after a failure it tells the model ${failure}, after a success ${success}`, async () => {
		const workflow = await createWorkflow(session, toolOf(agent, onError, settings));
		const answerTo = async (fromDate: string) => {
			const values = { ...aDay, name: 'A shift', fromDate };
			model.turns.push({ tool: 'Plan_a_Shift', values }, 'Done.');
			await session.endOf(await session.start(workflow, 'Start'));
			const { messages } = model.requests.at(-1)!;
			return told(messages.find(({ role }) => role === 'tool')?.content);
		};
		const created = () => environment.exchanges.filter(({ status }) => status === 201).length;
		environment.exchanges.length = 0;
		assert.deepEqual([await answerTo('tomorrow'), created()], [failure, 0]);
		assert.deepEqual([await answerTo(aDay.fromDate), created()], [success, 1]);
	});
