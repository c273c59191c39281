// `npm run test:versions` tests the package in full installations of n8n, from the oldest to the newest, as users
// install it. It takes some minutes, and much longer the first time. `node test/versions/writeTable.mts` then writes
// the list in docs/questions.md from the results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';

import type { IDataObject, INode } from 'n8n-workflow';

import { nodeName, singleNodeWorkflow, type SingleNode } from '../../n8n-in-process/singleNode.mts';
import { manualTriggerType, type WorkflowFile } from '../../n8n-in-process/workflow.mts';
import { errorOfExecution, outputsOfNode, requireEnd } from '../../n8n-full/executions.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { requestedVersion, newestUnsupported, triedVersions } from '../../n8n-full/n8nVersions.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import { createWorkflow } from '../../n8n-full/workflows.mts';
import { users } from '../../sandbox/accounts.mts';
import { documentedPackage } from '../../scripts/docs/package.mts';

import { saveResults, type VersionResult } from './writeTable.mts';
import { aDay } from '../harness/aDay.mts';

const port = 15_738;

let setup: N8nWithSandbox;
let session: N8nSession;

/** Two more credentials, as changes of the one that most tasks use. */
const otherCredentials = {
	/** The service asks the users of this credential to wait, so no other task uses it. */
	patient: { username: users[1]!.username, password: users[1]!.password },
	wrong: { password: 'not-the-password' },
};

const ours = 'n8n-nodes-agency-records.';

const { nodes } = await documentedPackage();
const operations = nodes.flatMap((node) => node.operations);

const credentialsOf = (id: string): Pick<INode, 'credentials'> => ({
	credentials: { agencyRecordsApi: { id, name: id } },
});

/** A workflow of one node of this package. */
function workflowWithNode(
	type: string,
	{ items, parameters = {}, nodeSettings }: Partial<SingleNode>,
	credential = exampleCredentialId,
): WorkflowFile {
	return singleNodeWorkflow({
		type: ours + type,
		parameters,
		items: items ?? [{ json: {} }],
		nodeSettings: { ...credentialsOf(credential), ...nodeSettings },
	});
}

const createSchedule = (nodeSettings: Partial<INode>, credential?: string): WorkflowFile =>
	workflowWithNode(
		'agencyShiftSchedules',
		{
			parameters: { fields: { ...aDay, name: '={{ $json.name }}' }, options: {} },
			items: [{ json: { name: 'A' } }, { json: { name: '' } }],
			nodeSettings,
		},
		credential,
	);

const triggerOf = (file: WorkflowFile): string =>
	file.nodes.find(({ type }) => type === manualTriggerType)!.name;

const start = async (file: WorkflowFile): Promise<string> =>
	await session.start(await createWorkflow(session, file), triggerOf(file));

const run = async (file: WorkflowFile, status?: string): Promise<string> =>
	await requireEnd(session, await start(file), status);

/** The items of each of the node's outputs. */
const outputItems = async (execution: string): Promise<IDataObject[][]> =>
	(await outputsOfNode(session, execution, nodeName)).map((items) => items.map(({ json }) => json));

const isAsked = (operation: string, times = 1) =>
	waitUntilDefined(async () => exchangesOf(operation)[times - 1], operation);

const exchangesOf = (operation: string) =>
	setup.exchanges.filter((exchange) => exchange.operation === operation);

/** The credential as it was imported. */
const importedCredential = () =>
	setup.credential(exampleCredentialId, 'authorizationCode') as { data: IDataObject };

/** The data of the credential as n8n has stored it. */
async function storedCredentialData(): Promise<IDataObject> {
	const file = join(tmpdir(), `stored-${process.pid}.json`);
	const named = [`--id=${exampleCredentialId}`, `--output=${file}`];
	await setup.n8n.command('export:credentials', '--decrypted', ...named);
	const [{ data }] = JSON.parse(readFileSync(file, 'utf8')) as [{ data: IDataObject }];
	return data;
}

async function testCredential(changes: IDataObject) {
	const [id, type] = [exampleCredentialId, 'agencyRecordsApi'];
	const path = `/credentials/${id}?includeData=true`;
	const { data } = (await session.get(path)) as { data: IDataObject };
	const credentials = { id, name: 'test', type, data: { ...data, ...changes } };
	const tested = await session.post('/credentials/test', { credentials });
	return tested as { status: string; message: string };
}

/** A user's tasks, by their names in that table. */
const tasks: Record<string, () => Promise<void>> = {
	async 'Every operation'() {
		for (const { node } of operations)
			await run(singleNodeWorkflow({ ...node, nodeSettings: credentialsOf(exampleCredentialId) }));
		const done = setup.exchanges.filter(({ url }) => url.startsWith('/agency'));
		assert.deepEqual(
			done.filter((exchange) => exchange.status >= 400),
			[],
		);
		assert.deepEqual(
			[...new Set(done.map(({ operation }) => operation))].sort(),
			operations.map(({ described }) => described.operationId).sort(),
		);
	},
	async 'A file made by another node is uploaded'() {
		const file = workflowWithNode('agencyFiles', { parameters: { inputDataFieldName: 'data' } });
		const made: INode = {
			...file.nodes[0]!,
			id: 'made',
			name: 'Made',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: { operation: 'toText', sourceProperty: 'text', options: { fileName: 'a.txt' } },
		};
		const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		await run({
			...file,
			nodes: [...file.nodes, made],
			connections: { Start: to('Made'), Made: to(nodeName) },
			pinData: { Start: [{ json: { text: 'The roster' } }] },
		});
		const { fileName, fileGUID } = setup.sandbox.records.list('file').rows.at(-1)!.data;
		assert.equal(fileName, 'a.txt');
		const content = readFileSync(join(setup.sandbox.filesFolder, fileGUID as string), 'utf8');
		assert.equal(content, 'The roster');
	},
	async '40 requests with a revoked token: one new sign-in, and its token is stored'() {
		setup.sandbox.accounts.revokeTokens();
		await run(
			workflowWithNode('agencyShifts', {
				parameters: { shiftID: 101 },
				items: Array.from({ length: 40 }, () => ({ json: {} })),
			}),
		);
		assert.equal(exchangesOf('codeToken').length, 1);
		const { accessToken, ...settings } = await storedCredentialData();
		const { accessToken: token } = JSON.parse(accessToken as string) as IDataObject;
		assert.equal(exchangesOf('getShift').at(-1)!.headers.authorization, token);
		assert.deepEqual({ ...settings, ...importedCredential().data }, settings);
	},
	async "A wrong password: the service's own message is shown"() {
		const execution = await run(createSchedule({ onError: 'continueRegularOutput' }, 'wrong'));
		const [[failed]] = (await outputItems(execution)) as [[IDataObject]];
		assert.match(failed.message as string, /^Sign-in was refused: .*password is wrong/);
		assert.equal((failed.error as IDataObject).outcome, 'notSent');
		assert.equal(exchangesOf('createShiftSchedule').length, 0);
	},
	async '_Stop Workflow_: nothing is sent if an item is invalid'() {
		const execution = await run(createSchedule({}), 'error');
		assert.match((await errorOfExecution(session, execution))!, /\[row 2 \(item 1\)\]/);
		assert.equal(exchangesOf('createShiftSchedule').length, 0);
	},
	async '_Continue_: failed items are marked'() {
		const execution = await run(createSchedule({ onError: 'continueRegularOutput' }));
		const [[made, failed]] = (await outputItems(execution)) as [[IDataObject, IDataObject]];
		assert.ok(made.shiftScheduleID);
		assert.equal((failed.error as IDataObject).outcome, 'notSent');
	},
	async '_Continue (using error output)_: failed items go there'() {
		const execution = await run(createSchedule({ onError: 'continueErrorOutput' }));
		const [made, failed] = await outputItems(execution);
		assert.equal(made!.length, 1);
		assert.equal(failed!.length, 1);
		assert.match(failed![0]!.message as string, /\[row 2 \(item 1\)\]$/);
		assert.equal((failed![0]!.error as IDataObject).outcome, 'notSent');
	},
	async "_Send Once_: sent items aren't sent again"() {
		const file = workflowWithNode('agencyShiftSchedules', {
			parameters: { specifyFields: 'inputItem', options: { sendOnceKey: '={{ $json.name }}' } },
			items: ['A', 'B', 'C'].map((name) => ({ json: { ...aDay, name } })),
		});
		const workflow = await createWorkflow(session, file);
		const again = async () =>
			await requireEnd(session, await session.start(workflow, triggerOf(file)));
		await again();
		const [items] = await outputItems(await again());
		assert.deepEqual(items![0], { alreadySent: true, key: 'A' });
		assert.equal(exchangesOf('createShiftSchedule').length, 3);
	},
	async '_Retry_ of an execution that sent nothing'() {
		const operation = 'createShiftSchedule';
		setup.sandbox.faults.set([{ fault: 'refuse', operation, status: 409, times: 1 }]);
		const file = workflowWithNode('agencyShiftSchedules', {
			parameters: { fields: { ...aDay, name: 'A' }, options: {} },
		});
		await session.retry(await run(file, 'error'));
		assert.equal((await isAsked(operation, 2)).status, 201);
	},
	async 'An execution is cancelled while it waits'() {
		const operation = 'getShift';
		setup.sandbox.faults.set([{ fault: 'refuse', operation, status: 429, retryAfter: 3600 }]);
		const parameters = { shiftID: 101, options: { maxWait: 7200 } };
		const id = await start(workflowWithNode('agencyShifts', { parameters }, 'patient'));
		await isAsked(operation);
		await session.post(`/executions/${id}/stop`, {});
		await requireEnd(session, id, 'canceled');
		setup.sandbox.faults.set([]);
	},
	async "The credential's test"() {
		assert.equal((await testCredential({})).status, 'OK');
		const { status, message } = await testCredential({ password: 'not-the-password' });
		assert.equal(status, 'Error');
		assert.match(message, /username or the password is wrong/);
	},
	async 'The _HTTP Request_ node signs in with the credential, even after a revocation'() {
		setup.sandbox.accounts.revokeTokens();
		await run(
			singleNodeWorkflow({
				type: 'n8n-nodes-base.httpRequest',
				parameters: {
					url: `${setup.sandbox.url}/agencyvendors/vendors`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'agencyRecordsApi',
					sendHeaders: true,
					headerParameters: { parameters: [{ name: 'Content-Type', value: 'application/json' }] },
				},
				items: [{ json: {} }],
				nodeSettings: { typeVersion: 4.2, ...credentialsOf(exampleCredentialId) },
			}),
		);
		assert.equal(exchangesOf('listVendors').at(-1)!.status, 200);
	},
};

const results: VersionResult[] = [];

for (const { n8n: name, node, ensure } of triedVersions) {
	const result: VersionResult = { n8n: name, node, tasks: {} };
	results.push(result);
	void describe(`n8n ${name}`, () => {
		before(async () => {
			setup = await openN8nWithSandbox(port, undefined, await ensure());
			const { n8n } = setup;
			const others = Object.entries(otherCredentials).map(([id, changes]) => ({
				...importedCredential(),
				id,
				data: { ...importedCredential().data, ...changes },
			}));
			await n8n.import('credentials', [importedCredential(), ...others]);
			session = await setup.start();
		});
		beforeEach(() => (setup.exchanges.length = 0));
		after(() => setup?.close());

		for (const [task, work] of Object.entries(tasks)) {
			void test(task, async () => {
				result.tasks[task] = false;
				await work();
				result.tasks[task] = true;
			});
		}
	});
}

void test(`n8n ${newestUnsupported.n8n} is reported as too old`, async (t) => {
	const old = await openN8nWithSandbox(port, undefined, await newestUnsupported.ensure());
	t.after(() => old.close());
	let output = '';
	const stop = await old.n8n.start((text) => (output += text));
	await stop();
	assert.match(output, /n8n-nodes-agency-records needs n8n 1\.85 or newer/);
});

after(() => {
	// Results of a version that is not supported do not belong in the table.
	if (!requestedVersion) saveResults(results);
});
