// The example that keeps its keys in a table of PostgreSQL: n8n is killed in the middle of the rows, and the next night
// sends the rest.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openTemporaryPostgres, type TemporaryPostgres } from '../../n8n-full/databases.mts';
import { errorOfExecution } from '../../n8n-full/executions.mts';
import type { N8nSession } from '../../n8n-full/fullN8n.mts';
import {
	exampleCredentialId,
	openN8nWithSandbox,
	readExample,
	withRowsOfTheNight,
	type N8nWithSandbox,
} from '../../n8n-full/n8nWithSandbox.mts';
import { waitUntilDefined } from '../../n8n-full/waitUntilDefined.mts';
import { aDay } from '../harness/aDay.mts';
import {
	assertNoneDoubledOrLost,
	missingRows,
	namesOfRows,
	timesCreated,
} from '../harness/serviceRows.mts';

const table = 'sent_shift_schedules';
const example = readExample('nightly-rows-in-postgresql');
const operation = 'createShiftSchedule';
const names = namesOfRows('nightly', 250);
const nightly = withRowsOfTheNight(
	example,
	names.map((name, rowID) => ({ rowID, name, stationNumber: '4', ...aDay })),
);

let environment: N8nWithSandbox;
let session: N8nSession;
let postgres: TemporaryPostgres;

before(async () => {
	postgres = await openTemporaryPostgres(17_818);
	environment = await openN8nWithSandbox(17_820);
	const { n8n, credential } = environment;
	await n8n.import('credentials', [
		credential(exampleCredentialId, 'password'),
		{ id: 'postgres', name: 'Postgres', type: 'postgres', data: postgres.account },
	]);
	await n8n.import('workflow', [nightly]);
	session = await environment.start();
});
after(async () => {
	await environment?.close();
	await postgres?.stop();
});

const start = () => session.start(nightly.id, 'Try It');

/** Runs the workflow. @returns its error, or undefined */
async function run(): Promise<string | undefined> {
	const execution = await start();
	await session.endOf(execution);
	return await errorOfExecution(session, execution);
}

void test('if n8n is killed midway, no row is doubled, and those in doubt are named', async (t) => {
	const { sandbox } = environment;
	const { faults } = sandbox;
	// The service hangs after some of the second hundred rows.
	faults.set([
		{ fault: 'delayBefore', operation, milliseconds: 0, times: 130 },
		{ fault: 'delayBefore', operation, milliseconds: 600_000 },
	]);
	await start();
	await waitUntilDefined(
		async () => (faults.struck.delayBefore ?? 0) > 130 || undefined,
		'the service to hang',
	);
	await environment.stop('SIGKILL');
	// Arrived requests are processed although their client is gone.
	await waitUntilDefined(async () => {
		const processed = timesCreated(sandbox, names).filter((times) => times > 0).length;
		return processed === faults.struck.delayBefore || undefined;
	}, 'the service to be done');
	faults.set([]);
	session = await environment.start();

	const error = (await run())!;
	const begun = await postgres.query(
		`SELECT row_id FROM ${table} WHERE done_at IS NULL ORDER BY row_id`,
	);
	const inDoubt = begun.split('\n');
	t.diagnostic(`${inDoubt.length} rows in doubt`);
	assert.ok(inDoubt.length > 0 && inDoubt.length <= 100);
	for (const row of inDoubt) assert.ok(error.includes(`${row}: in doubt`), row);
	assertNoneDoubledOrLost(
		sandbox,
		names,
		inDoubt.map((row) => names[Number(row)]!),
	);

	// A person looks them up and deletes the missing ones from the table, so that the next night sends them.
	const lost = missingRows(sandbox, names);
	const missing = inDoubt.filter((row) => lost.includes(names[Number(row)]!));
	const list = missing.map((row) => `'${row}'`).join(', ');
	assert.notEqual(missing.length, 0);
	await postgres.query(`DELETE FROM ${table} WHERE row_id IN (${list})`);
	await postgres.query(`UPDATE ${table} SET done_at = now() WHERE done_at IS NULL`);
	assert.equal(await run(), undefined);
	assertNoneDoubledOrLost(sandbox, names);
});
