// The example that keeps failed rows in n8n's data table, on a running n8n server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { dataTableRows } from '../../n8n-full/dataTables.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';

import {
	exampleCredentialId,
	failedRowsExample,
	openN8nWithSandbox,
	n8nOwner,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';

let environment: N8nWithSandbox;
let stop: (() => Promise<void>) | undefined;
let session: N8nSession;

before(async () => {
	environment = await openN8nWithSandbox(15_698);
	const { n8n, credential } = environment;
	await n8n.import('credentials', [credential(exampleCredentialId, 'password')]);
	await n8n.import('workflow', [failedRowsExample]);
	stop = await n8n.start();
	session = await n8n.session(n8nOwner);
});
after(async () => {
	await stop?.();
	await environment?.close();
});

/** Runs the part of the example behind one of its triggers, to its end. */
async function run(trigger: string): Promise<void> {
	assert.equal((await session.run(failedRowsExample.id, trigger)).status, 'success');
}

type Row = Record<string, string>;

const tableRows = (): Promise<Row[]> => dataTableRows(session, 'Failed Shift Schedules');

const outcomes = (rows: Row[]) => rows.map(({ outcome, state }) => `${outcome}: ${state}`).sort();

/** Names of the example's schedules that the agency has. */
const schedulesInService = () =>
	environment.sandbox.records
		.list('shiftSchedule')
		.rows.map(({ data }) => data.name as string)
		.filter((name) => /^[A-E] shift$/.test(name))
		.sort();

void test('every row is in the service once, or in the table with what became of it', async () => {
	const { faults } = environment.sandbox;
	const operation = 'createShiftSchedule';
	faults.set([
		{ fault: 'resetAfter', operation, times: 1 },
		{ fault: 'refuse', operation, status: 409, times: 1 },
		{ fault: 'refuse', operation, status: 503, retryAfter: 1 },
	]);
	await run('Every Night');
	faults.set([]);
	// Which of the other three were sent before the service was seen to be busy is left to chance.
	assert.deepEqual(
		outcomes(await tableRows())
			.map((fate) => fate.replace('notSent: waiting', 'refused: waiting'))
			.sort(),
		[
			'notSent: look at it',
			'refused: look at it',
			...Array<string>(3).fill('refused: waiting'),
			'unknown: look at it',
		],
	);
	assert.equal(schedulesInService().length, 1, 'the one in doubt');

	await run('Every Hour');
	const left = await tableRows();
	assert.deepEqual(outcomes(left), [
		'notSent: look at it',
		'refused: look at it',
		'unknown: look at it',
	]);
	const { name } = left.find(({ outcome }) => outcome === 'refused')!;
	const expected = ['A', 'B', 'C', 'D', 'E'].map((letter) => `${letter} shift`);
	assert.deepEqual(
		schedulesInService(),
		expected.filter((other) => other !== name),
	);

	await run('Every Hour');
	assert.equal(schedulesInService().length, 4);
});

void test('run again, it keeps the row that does not fit once more', async () => {
	const before = (await tableRows()).length;
	await run('Every Night');
	assert.equal(schedulesInService().length, 9);
	const added = (await tableRows()).slice(before);
	assert.deepEqual(outcomes(added), ['notSent: look at it']);
});
