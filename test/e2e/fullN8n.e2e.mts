// The package as a user's n8n gets it: packed, installed as a community package, run by n8n's own commands.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import type { INode, INodeExecutionData } from 'n8n-workflow';

import type { WorkflowFile } from '../../n8n-in-process/workflow.mts';

import { clients } from '../../sandbox/accounts.mts';
import { subscriptionKey } from '../../sandbox/gateway.mts';
import {
	exampleCredentialId,
	weekExample,
	openN8nWithSandbox,
	n8nOwner,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';

const pinned = weekExample.pinData!['Week Plan']!;
let environment: N8nWithSandbox;

/**
 * `n8n execute` takes no pinned data, so the same rows come from a Code node, which takes the trigger's name.
 */
function forCommandLine(file: WorkflowFile): object {
	const [[trigger, rows]] = Object.entries(file.pinData!) as [[string, INodeExecutionData[]]];
	const code: INode = {
		id: 'rows',
		name: trigger,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		position: [160, 480],
		parameters: { jsCode: `return ${JSON.stringify(rows)};` },
	};
	const nodes = structuredClone(file.nodes);
	for (const node of nodes) {
		if (node.name === trigger) node.name = 'Start';
	}
	return {
		...file,
		id: 'byCode',
		pinData: {},
		nodes: [...nodes, code],
		connections: {
			...file.connections,
			Start: { main: [[{ node: trigger, type: 'main', index: 0 }]] },
		},
	};
}

const countOf = (operation: string) =>
	environment.exchanges.filter((exchange) => exchange.operation === operation).length;

before(async () => {
	environment = await openN8nWithSandbox(15_678);
	const { n8n, credential } = environment;
	await n8n.import('credentials', [credential(exampleCredentialId, 'authorizationCode')]);
	await n8n.import('workflow', [forCommandLine(weekExample)]);
});
beforeEach(() => (environment.exchanges.length = 0));
after(() => environment?.close());

void test('n8n execute runs the example, signed in by an authorization code', async () => {
	const { n8n, sandbox, exchanges } = environment;
	const before = sandbox.records.count('shiftSchedule');
	const filesBefore = sandbox.records.count('file');
	await n8n.command('execute', '--id=byCode');

	assert.deepEqual(
		exchanges.filter(({ status }) => status >= 400),
		[],
	);
	for (const operation of ['authorize', 'codeToken']) assert.equal(countOf(operation), 1);
	assert.equal(countOf('patchLicenses'), 1);

	const created = sandbox.records.list('shiftSchedule', { offset: before }).rows;
	assert.deepEqual(
		created.map(({ data }) => data.name).sort(),
		pinned.map(({ json }) => json.shiftName).sort(),
	);
	const sunday = created.find(({ data }) => data.name === 'A shift, Sunday');
	assert.equal(sunday?.data.fromDate, '2026-03-08T07:00:00-05:00');

	assert.equal(sandbox.records.count('file'), filesBefore + 1);
	const file = sandbox.records.list('file').rows.at(-1)!.data;
	const { roster } = pinned[0]!.binary!;
	assert.equal(file.fileName, roster!.fileName);
	assert.deepEqual(
		readFileSync(join(sandbox.filesFolder, file.fileGUID as string)),
		Buffer.from(roster!.data, 'base64'),
	);

	for (const { json } of pinned) {
		const id = Number((json.licensePath as string).split('/').at(-1));
		assert.deepEqual(sandbox.records.get('license', id)?.data.userIDs, [json.officerID]);
	}
	const { answerID } = pinned[0]!.json;
	assert.equal(sandbox.records.get('inspectionAnswer', answerID as number)?.archived, true);
});

void test("the token is kept between executions, and n8n's interface never shows a secret", async (t) => {
	const { n8n, exchanges } = environment;
	await n8n.command('execute', '--id=byCode');
	assert.equal(countOf('authorize'), 0);
	assert.equal(countOf('createShiftSchedule'), pinned.length);

	const stop = await n8n.start();
	t.after(stop);
	const session = await n8n.session(n8nOwner);
	const shown = JSON.stringify(
		await session.get(`/credentials/${exampleCredentialId}?includeData=true`),
	);
	assert.match(shown, /"clientId":"station-app"/);
	const token = exchanges.find(({ operation }) => operation === 'createShiftSchedule')!.headers
		.authorization!;
	for (const secret of [token, subscriptionKey, clients[0]!.secret!, 'chief-password']) {
		assert.ok(!shown.includes(secret), `a secret is readable: ${shown}`);
	}
});
