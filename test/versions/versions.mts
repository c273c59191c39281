// `npm run test:versions` tests the package in full installations of n8n, from the oldest to the newest, as users
// install it. It takes some minutes, and much longer the first time. `node test/versions/writeTable.mts` then writes
// the README's table from the results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject, INode, INodeExecutionData, ITaskData } from 'n8n-workflow';

import { nodeName, singleNodeWorkflow, type SingleNode } from '../../n8n-in-process/singleNode.mts';
import { manualTriggerType, type WorkflowFile } from '../../n8n-in-process/workflow.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	n8nOwner,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { requestedVersion, newestUnsupported, triedVersions } from '../../n8n-full/n8nVersions.mts';
import { createWorkflow, startWorkflow } from '../../n8n-full/workflows.mts';
import { users } from '../../sandbox/accounts.mts';
import { documentedPackage } from '../../scripts/docs/package.mts';

import { saveResults, type VersionResult } from './writeTable.mts';

const port = 15_738;

/** The part of a saved execution that is read here. */
interface Execution {
	status: string;
	resultData: { error?: { message: string }; runData: Record<string, ITaskData[]> };
}

let setup: N8nWithSandbox;
let session: N8nSession;

/** Two more credentials, as they differ from the one that most tasks use. */
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
			parameters: { fields: { name: '={{ $json.name }}' }, options: {} },
			items: [{ json: { name: 'A' } }, { json: { name: '' } }],
			nodeSettings,
		},
		credential,
	);

const triggerOf = (file: WorkflowFile): string =>
	file.nodes.find(({ type }) => type === manualTriggerType)!.name;

const startWorkflowFile = async (file: WorkflowFile): Promise<string> =>
	await startWorkflow(session, await createWorkflow(session, file), triggerOf(file));

const runWorkflowFile = async (file: WorkflowFile): Promise<Execution> =>
	await executionAfterEnd(await startWorkflowFile(file));

async function executionAfterEnd(id: string): Promise<Execution> {
	const status = await session.endOf(id);
	const { data } = (await session.get(`/executions/${id}`)) as { data: string };
	return { ...(setup.n8n.parse(data) as Execution), status };
}

/** The items of each of the node's outputs. */
const outputItems = ({ resultData }: Execution): IDataObject[][] =>
	(resultData.runData[nodeName]?.[0]?.data?.main ?? []).map((items: INodeExecutionData[] | null) =>
		(items ?? []).map(({ json }) => json),
	);

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

/** What a user does, by its name in the README's table. */
const tasks: Record<string, () => Promise<void>> = {
	async 'Every operation'() {
		for (const { node } of operations) {
			const nodeSettings = credentialsOf(exampleCredentialId);
			const { status } = await runWorkflowFile(singleNodeWorkflow({ ...node, nodeSettings }));
			assert.equal(status, 'success');
		}
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
		const { status } = await runWorkflowFile({
			...file,
			nodes: [...file.nodes, made],
			connections: { Start: to('Made'), Made: to(nodeName) },
			pinData: { Start: [{ json: { text: 'The roster' } }] },
		});
		assert.equal(status, 'success');
		const { fileName, fileGUID } = setup.sandbox.records.list('file').rows.at(-1)!.data;
		assert.equal(fileName, 'a.txt');
		const content = readFileSync(join(setup.sandbox.filesFolder, fileGUID as string), 'utf8');
		assert.equal(content, 'The roster');
	},
	async '40 requests with a revoked token: one new sign-in, and its token is stored'() {
		setup.sandbox.accounts.revokeTokens();
		const { status } = await runWorkflowFile(
			workflowWithNode('agencyShifts', {
				parameters: { shiftID: 101 },
				items: Array.from({ length: 40 }, () => ({ json: {} })),
			}),
		);
		assert.equal(status, 'success');
		assert.equal(exchangesOf('codeToken').length, 1);
		const { accessToken, ...settings } = await storedCredentialData();
		const { accessToken: token } = JSON.parse(accessToken as string) as IDataObject;
		assert.equal(exchangesOf('getShift').at(-1)!.headers.authorization, token);
		assert.deepEqual({ ...settings, ...importedCredential().data }, settings);
	},
	async "A wrong password: the service's own message is shown"() {
		const execution = await runWorkflowFile(
			createSchedule({ onError: 'continueRegularOutput' }, 'wrong'),
		);
		const [[failed]] = outputItems(execution) as [[IDataObject]];
		assert.match(failed.message as string, /^Sign-in was refused: .*password is wrong/);
		assert.equal((failed.error as IDataObject).outcome, 'notSent');
		assert.equal(exchangesOf('createShiftSchedule').length, 0);
	},
	async '_Stop Workflow_: nothing is sent if an item is invalid'() {
		const { status, resultData } = await runWorkflowFile(createSchedule({}));
		assert.equal(status, 'error');
		assert.match(resultData.error!.message, /\[row 2 \(item 1\)\]/);
		assert.equal(exchangesOf('createShiftSchedule').length, 0);
	},
	async '_Continue_: failed items are marked'() {
		const execution = await runWorkflowFile(createSchedule({ onError: 'continueRegularOutput' }));
		assert.equal(execution.status, 'success');
		const [[made, failed]] = outputItems(execution) as [[IDataObject, IDataObject]];
		assert.ok(made.shiftScheduleID);
		assert.equal((failed.error as IDataObject).outcome, 'notSent');
	},
	async '_Continue (using error output)_: failed items go there'() {
		const execution = await runWorkflowFile(createSchedule({ onError: 'continueErrorOutput' }));
		const [made, failed] = outputItems(execution);
		assert.equal(made!.length, 1);
		assert.equal(failed!.length, 1);
		assert.match(failed![0]!.message as string, /\[row 2 \(item 1\)\]$/);
		assert.equal((failed![0]!.error as IDataObject).outcome, 'notSent');
	},
	async "_Send Once_: sent items aren't sent again"() {
		const file = workflowWithNode('agencyShiftSchedules', {
			parameters: {
				specifyFields: 'inputItem',
				options: { sendOnceKey: '={{ $json.name }}' },
			},
			items: ['A', 'B', 'C'].map((name) => ({ json: { name } })),
		});
		const workflow = await createWorkflow(session, file);
		const again = async () =>
			await executionAfterEnd(await startWorkflow(session, workflow, triggerOf(file)));
		assert.equal((await again()).status, 'success');
		const [items] = outputItems(await again());
		assert.deepEqual(items![0], { alreadySent: true, key: 'A' });
		assert.equal(exchangesOf('createShiftSchedule').length, 3);
	},
	async '_Retry_ of an execution that sent nothing'() {
		const operation = 'createShiftSchedule';
		setup.sandbox.faults.set([{ fault: 'refuse', operation, status: 409, times: 1 }]);
		const id = await startWorkflowFile(
			workflowWithNode('agencyShiftSchedules', {
				parameters: { fields: { name: 'A' }, options: {} },
			}),
		);
		assert.equal((await executionAfterEnd(id)).status, 'error');
		await session.post(`/executions/${id}/retry`, { loadWorkflow: true });
		while (exchangesOf(operation).length < 2) await delay(50);
		assert.equal(exchangesOf(operation)[1]!.status, 201);
	},
	async 'An execution is cancelled while it waits'() {
		const operation = 'getShift';
		setup.sandbox.faults.set([{ fault: 'refuse', operation, status: 429, retryAfter: 3600 }]);
		const id = await startWorkflowFile(
			workflowWithNode(
				'agencyShifts',
				{ parameters: { shiftID: 101, options: { maxWait: 7200 } } },
				'patient',
			),
		);
		while (exchangesOf(operation).length === 0) await delay(50);
		await session.post(`/executions/${id}/stop`, {});
		assert.equal(await session.endOf(id), 'canceled');
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
		const execution = await runWorkflowFile(
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
		assert.equal(execution.status, 'success');
		assert.equal(exchangesOf('listVendors').at(-1)!.status, 200);
	},
};

const results: VersionResult[] = [];

for (const { n8n: name, node, ensure } of triedVersions) {
	const result: VersionResult = { n8n: name, node, tasks: {} };
	results.push(result);
	void describe(`n8n ${name}`, () => {
		let stop: (() => Promise<void>) | undefined;

		before(async () => {
			setup = await openN8nWithSandbox(port, undefined, await ensure());
			const { n8n } = setup;
			const others = Object.entries(otherCredentials).map(([id, changes]) => ({
				...importedCredential(),
				id,
				data: { ...importedCredential().data, ...changes },
			}));
			await n8n.import('credentials', [importedCredential(), ...others]);
			stop = await n8n.start();
			session = await n8n.session(n8nOwner);
		});
		beforeEach(() => (setup.exchanges.length = 0));
		after(async () => {
			await stop?.();
			await setup?.close();
		});

		for (const [task, work] of Object.entries(tasks)) {
			void test(task, async () => {
				result.tasks[task] = false;
				await work();
				result.tasks[task] = true;
			});
		}
	});
}

void test(`n8n ${newestUnsupported.n8n} says that it is too old`, async (t) => {
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
