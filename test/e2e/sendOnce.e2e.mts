// Rows that are sent once, and rows in doubt, on a running n8n. For crashes, see test/queue/crash; for n8n's Retry, see
// test/versions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { insertDataTableRow, dataTableRows } from '../../n8n-full/dataTables.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import { executionsOfWorkflow, requireEnd } from '../../n8n-full/executions.mts';
import { openFormQuestions, submitForm } from '../../n8n-full/forms.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import { createCredential } from '../../n8n-full/webhookWorkflows.mts';
import {
	correctRowsOfTheNight,
	openN8nWithSandbox,
	readExample,
	withRowsOfTheNight,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { importWorkflow } from '../../n8n-full/workflows.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { aDay } from '../harness/aDay.mts';
import { assertNoneDoubledOrLost, missingRows } from '../harness/serviceRows.mts';

const example = readExample('nightly-rows-with-keys');
const operation = 'createShiftSchedule';
const names = Array.from({ length: 200 }, (_, row) => `row ${row}`);

const withOwnRows = withRowsOfTheNight(
	example,
	names.map((name, rowID) => ({ rowID, name, stationNumber: '4', ...aDay })),
);

let environment: N8nWithSandbox;
let session: N8nSession;
/** IDs of the example as is, and with its own rows. */
let sample: string;
let nightly: string;

before(
	async () => {
		environment = await openN8nWithSandbox(15_694);
		session = await environment.start();
		const { url } = environment.sandbox;
		await createCredential(session, sandboxCredential(url, { grantType: 'password' }));
		sample = await importWorkflow(session, example);
		nightly = await importWorkflow(session, withOwnRows);
		await session.publish(nightly);
	},
	{ timeout: 20 * 60_000 },
);
after(() => environment?.close());

/** Asserts that each of these is in the service once. */
const assertSentOnce = (wanted: readonly string[] = names): void =>
	assertNoneDoubledOrLost(environment.sandbox, wanted);

const table = 'Open Shift Schedules';

/** Names of the rows in the table that have a state. */
async function having(state: string): Promise<string[]> {
	const rows = await dataTableRows(session, table);
	return rows.filter((row) => row.state === state).map(({ name }) => name!);
}

async function run(workflow: string, trigger: string, status = 'success'): Promise<void> {
	await requireEnd(session, await session.start(workflow, trigger), status);
}

void test('one click shows what the example does, and it sends nothing twice', async () => {
	const letters = ['A', 'B', 'C', 'D', 'E'].map((letter) => `${letter} shift`);
	for (const trigger of ['Try It', 'Try It', 'Every Night']) {
		await run(sample, trigger, 'error');
		assertSentOnce(letters);
		assert.equal((await dataTableRows(session, table)).length, 1);
		assert.deepEqual(await having('look at it'), ['F shift']);
	}
});

/** Rows that are processed before something happens. */
const through = 20;
const goThrough: FaultRule = { fault: 'delayBefore', operation, milliseconds: 0, times: through };

void test('rows in doubt are named, and the others are sent', async (t) => {
	const { n8n, sandbox } = environment;
	sandbox.faults.set([
		goThrough,
		{ fault: 'resetAfter', operation, times: 2 },
		{ fault: 'resetBefore', operation, times: 2 },
	]);
	await run(nightly, 'Every Night', 'error');
	sandbox.faults.set([]);
	const doubtful = await having('look up');
	assert.equal(doubtful.length, 4);
	assert.equal(missingRows(sandbox, names).length, 2);
	assertNoneDoubledOrLost(sandbox, names, doubtful);

	await t.test('the next night keeps the reasons of the first in the table', async () => {
		const inTable = async () =>
			(await dataTableRows(session, table)).filter(({ state }) => state === 'look up');
		const reasons = (await inTable()).map(({ error }) => error);
		await run(nightly, 'Every Night', 'error');
		const rows = await inTable();
		assert.deepEqual(
			rows.map(({ error }) => error),
			reasons,
		);
		for (const { advice } of rows) assert.match(advice!, /'Send Once: Looked-Up Rows'/);
	});

	await t.test('a person answers for each row in doubt whether it is there', async () => {
		const labelled = (label: string, name: string) => label.includes(`: ${name},`);
		const untilInDoubt = (left: readonly string[]) =>
			waitUntilDefined(
				async () => isDeepStrictEqual(await having('look up'), left) || undefined,
				'the answers to be taken',
			);
		/** @returns the rows that the person left unanswered */
		const look = async (leavesFirst: boolean): Promise<string[]> => {
			const submitted = await submitForm(n8n, 'rows-in-doubt', ['Captain']);
			const { labels, submit } = await openFormQuestions(submitted);
			const asked = labels.map((label) => names.find((name) => labelled(label, name))!);
			assert.deepEqual(asked, await having('look up'));
			const gone = missingRows(sandbox, names);
			const left = asked.slice(0, leavesFirst ? 1 : 0);
			await submit(
				asked.map((name) => {
					if (left.includes(name)) return '';
					return gone.includes(name) ? 'It is not there: send it' : 'It is there';
				}),
			);
			return left;
		};
		// Left open meanwhile.
		const opened = await openFormQuestions(await submitForm(n8n, 'rows-in-doubt', ['Lieutenant']));
		const left = await look(true);
		await untilInDoubt(left);
		await look(false);
		await untilInDoubt([]);
		await opened.submit(opened.labels.map(() => 'It is not there: send it'));
		await waitUntilDefined(async () => {
			const all = await executionsOfWorkflow(session, nightly);
			return all.every(({ status }) => ['success', 'error'].includes(status)) || undefined;
		}, 'the forms to end');
		assertSentOnce();
	});

	await t.test('a row that was corrected at its source waits for its record', async () => {
		await correctRowsOfTheNight(session, nightly, '"name":"row 7"', '"name":"row 7 b"');
		await run(nightly, 'Every Night', 'error');
		assert.deepEqual(await having('look up'), ['row 7 b']);
		const opened = await openFormQuestions(await submitForm(n8n, 'rows-in-doubt', ['Captain']));
		assert.match(opened.labels[0]!, /: it was sent before, with other values$/);
		await opened.submit(['Its record has these values now']);
		await waitUntilDefined(
			async () => (await having('look up')).length === 0 || undefined,
			'the answer to be taken',
		);
		assertSentOnce();
	});

	await t.test('later nights resend nothing, and send only waiting rows', async () => {
		const before = await dataTableRows(session, table);
		const waiting = { rowID: '2026-099', name: 'row of last week', ...aDay, state: 'waiting' };
		await insertDataTableRow(session, table, waiting);
		for (let later = 0; later < 2; later++) {
			await run(nightly, 'Every Night');
			assertSentOnce();
			assertSentOnce([waiting.name]);
			assert.deepEqual(await dataTableRows(session, table), before);
		}
	});
});
