// The example "From Excel to the schedule": its code reads a sheet as people wrote it, and the key of a shift comes from
// the beginning that the node reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { runNode } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

useStoreOfKeys();
const sandbox = useSandbox();

const file = join(__dirname, '..', '..', '..', 'examples', 'shift-schedules-from-a-csv.json');
// How the sheet writes dates stands in a node of the example that a person sets.
const text = readFileSync(file, 'utf8').replaceAll(
	"={{ $('Your Columns').first().json['Dates in Rows'] }}",
	'Day First',
);
const { nodes } = JSON.parse(text) as {
	nodes: Array<{ name: string; type: string; parameters: INodeParameters }>;
};
const agencyNodes = nodes.filter(({ type }) => type.endsWith('.agencyShiftSchedules'));

interface Assignments {
	assignments: Array<{ name: string; value: unknown }>;
}

/** What the code of the example makes of the rows of a sheet with the day first. */
function readSheet(rows: readonly IDataObject[]): IDataObject[] {
	const nodeOf = (name: string) => nodes.find((node) => node.name === name)!.parameters;
	const { assignments } = nodeOf('Your Columns').assignments as unknown as Assignments;
	const columns = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
	const json = { ...columns, 'Dates in Rows': 'Day First' };
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- n8n runs this code.
	const code = new Function('$', '$input', nodeOf('Shifts in the Rows').jsCode as string) as (
		$: () => unknown,
		$input: unknown,
	) => Array<{ json: IDataObject }>;
	const input = { all: () => rows.map((row) => ({ json: row })) };
	return code(() => ({ first: () => ({ json }) }), input).map((item) => item.json);
}

test('the same shift on 1.12.2026 and on 2026-01-12 has two keys, and is planned twice', async () => {
	const days = ['1.12.2026', '2026-01-12', '12.1.2027'];
	let items = readSheet(
		days.map((day) => ({
			...{ Shift: 'A', Station: '04' },
			...{ Begins: `${day} 07:00`, Ends: `${day} 19:00` },
		})),
	);
	for (const { parameters } of agencyNodes) {
		const run = { node: new AgencyShiftSchedules(), parameters, items };
		const { json, error } = await runNode({ ...run, credentials: sandbox.credentials() });
		expect(error?.message).toBeUndefined();
		items = json;
	}
	const created = sandbox.exchanges.filter(({ operation }) => operation === 'createShiftSchedule');
	expect(created.map(({ body }) => (body as IDataObject).fromDate)).toEqual([
		'2026-12-01T07:00:00-05:00',
		'2026-01-12T07:00:00-05:00',
		'2027-01-12T07:00:00-05:00',
	]);
});

test('a CSV in Windows-1252, of which each byte is a character, gets its letters', () => {
	const [row] = readSheet([
		{ Shift: 'St. Mary\u0092s \u0096 Pe\u00f1asco', Begins: '', Ends: '', Station: '04' },
	]);
	expect(row!.shift).toBe('St. Mary\u2019s \u2013 Pe\u00f1asco');
});
