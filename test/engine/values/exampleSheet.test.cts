// The examples that read sheets: their code reads what people wrote, the key of a row comes from what the node would send,
// and no row vanishes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyUsers } from '../../../nodes/AgencyUsers/AgencyUsers.node';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { runNode } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

useStoreOfKeys();
const sandbox = useSandbox();

const folder = join(__dirname, '..', '..', '..', 'examples');

/** Expressions that read a node of the example, with the values that a person set there. */
type Settings = Record<string, string>;

interface ExampleNode {
	name: string;
	parameters: INodeParameters;
}

/** The functions of Code nodes, in which n8n allows `await`. */
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

class Example {
	private readonly nodes: ExampleNode[];

	constructor(file: string, settings: Settings = {}) {
		let text = readFileSync(join(folder, `${file}.json`), 'utf8');
		for (const [expression, value] of Object.entries(settings))
			text = text.replaceAll(JSON.stringify(expression).slice(1, -1), value);
		this.nodes = (JSON.parse(text) as { nodes: ExampleNode[] }).nodes;
	}

	parametersOf = (name: string) => this.nodes.find((node) => node.name === name)!.parameters;

	/** The output of a Code node for rows. */
	read(
		name: string,
		rows: readonly IDataObject[],
		yours: string,
		others: IDataObject,
	): Promise<IDataObject[]> {
		const { assignments } = this.parametersOf(yours).assignments as unknown as {
			assignments: Array<{ name: string; value: string }>;
		};
		const columns = Object.fromEntries(assignments.map((one) => [one.name, one.value]));
		return this.runCode(name, rows, { ...columns, ...others });
	}

	async runCode(name: string, rows: readonly IDataObject[], json: IDataObject = {}) {
		const text = this.parametersOf(name).jsCode as string;
		const code = AsyncFunction('$', '$input', 'DateTime', text) as (
			$: () => unknown,
			$input: unknown,
			luxon: typeof DateTime,
		) => Promise<Array<{ json: IDataObject }>>;
		const input = { all: () => rows.map((row) => ({ json: row })) };
		const output = await code(() => ({ first: () => ({ json }) }), input, DateTime);
		return output.map((item) => item.json);
	}

	/** Sends rows through the two nodes that check and create. */
	async send(node: INodeType, names: readonly string[], rows: readonly IDataObject[]) {
		const credentials = sandbox.credentials();
		const nodeSettings = { onError: 'continueErrorOutput' } as const;
		const left: IDataObject[] = [];
		let items = [...rows];
		for (const name of names) {
			const parameters = this.parametersOf(name);
			const run = await runNode({ node, parameters, items, credentials, nodeSettings });
			left.push(...run.errorItems.map(({ json }) => json));
			items = run.json;
		}
		return { sent: items, left };
	}
}

/** The sent records, sorted by a field. */
const sentAs = (operationName: string, field: string): Array<Record<string, string>> =>
	sandbox
		.requests(operationName)
		.map(({ body }) => body as Record<string, string>)
		.sort((one, other) => (one[field]! < other[field]! ? -1 : 1));

const shifts = new Example('shift-schedules-from-a-csv', {
	"={{ $('Your Columns').first().json['Dates in Rows'] }}": 'Day First',
});
const shiftNodes = ['Check the Rows', 'Create Shift Schedules'];

/** The output of the example's code for a sheet that writes the day first. */
const readSheet = (all: readonly IDataObject[], more: IDataObject = {}) =>
	shifts.read('Shifts in the Rows', all, 'Your Columns', { 'Dates in Rows': 'Day First', ...more });

test('a shift on 1.12.2026 and one on 2026-01-12 have different keys, and both are planned', async () => {
	const days = ['1.12.2026', '2026-01-12', '12.1.2027'];
	const items = await readSheet(
		days.map((day) => ({
			...{ Shift: 'A', Station: '04' },
			...{ Begins: `${day} 07:00`, Ends: `${day} 19:00` },
		})),
	);
	expect((await shifts.send(new AgencyShiftSchedules(), shiftNodes, items)).left).toEqual([]);
	const created = sandbox.requests('createShiftSchedule');
	expect(created.map(({ body }) => (body as IDataObject).fromDate)).toEqual([
		'2026-12-01T07:00:00-05:00',
		'2026-01-12T07:00:00-05:00',
		'2027-01-12T07:00:00-05:00',
	]);
});

test('a CSV in Windows-1252 that was read byte by byte gets its letters back', async () => {
	const [row] = await readSheet([
		{ Shift: 'St. Mary\u0092s \u0096 Pe\u00f1asco', Begins: '', Ends: '', Station: '04' },
	]);
	expect(row!.shift).toBe('St. Mary\u2019s \u2013 Pe\u00f1asco');
});

test('an overnight shift ends on the next day, however the sheet writes times', async () => {
	const times: Array<[unknown, unknown]> = [
		['7pm', '7am'],
		['7 PM', '7 AM'],
		['7:00 p.m.', '7:00 a.m.'],
		['19:00', '07:00'],
		[0.7916666667, 0.2916666667],
		['19:00', 0.2916666667],
		// Excel's midnight, and its 24:00.
		[0.7916666667, 0],
		[0.7916666667, 1],
		['7am', '7pm'],
	];
	const rows = times.map(([Begins, Ends], at) => ({
		...{ Shift: `Night ${at}`, Station: '4', Date: '1.12.2026', Begins, Ends },
	}));
	const items = await readSheet(rows as IDataObject[], { Date: 'Date' });
	const { left } = await shifts.send(new AgencyShiftSchedules(), shiftNodes, items);
	expect(left).toEqual([]);
	const planned = sentAs('createShiftSchedule', 'name');
	expect(planned.map(({ fromDate, toDate }) => `${fromDate} ${toDate}`)).toEqual([
		...Array<string>(6).fill('2026-12-01T19:00:00-05:00 2026-12-02T07:00:00-05:00'),
		...Array<string>(2).fill('2026-12-01T19:00:00-05:00 2026-12-02T00:00:00-05:00'),
		'2026-12-01T07:00:00-05:00 2026-12-01T19:00:00-05:00',
	]);
});

describe('LOSAP points', () => {
	const losap = new Example('losap-points-from-a-sheet', {
		'={{ $(\'Your Sheet\').first().json["Dates in Rows"] }}': 'Month First',
		'$(\'Your Sheet\').first().json["Category IDs"]': '({ Drill: 3 })',
	});
	const credit = async (...rows: Array<[date: unknown, why: string]>) => {
		const sheet = rows.map(
			([Date, Why]) => ({ 'Member #': 101, Date, Pts: 1, Why }) as IDataObject,
		);
		const items = await losap.read('Rows to Credit', sheet, 'Your Sheet', {});
		return await losap.send(new AgencyUsers(), ['Check the Rows', 'Credit Points'], items);
	};
	const credited = () => sentAs('createLosapPoint', 'startDate').map(({ startDate }) => startDate);

	test('a date with a time is credited once, from XLSX and from CSV', async () => {
		// March 3, 2026, 18:02:11, as Excel has it.
		await credit([46_084.751516203703, 'Drill 1']);
		for (const Date of ['3/3/2026 18:02:11', '3/3/2026 6:02:11 PM']) {
			const { sent } = await credit([Date, 'Drill 1']);
			expect(sent).toMatchObject([{ alreadySent: true }]);
		}
		// Without its seconds, it has the same key.
		const { sent } = await credit(['3/3/2026 18:02', 'Drill 1']);
		expect(sent).toMatchObject([{ alreadySent: true, changed: true }]);
		expect(credited()).toEqual(['2026-03-03T18:02:11-05:00']);
	});

	test('two times on one day are two credits', async () => {
		const { left } = await credit([46085.5, 'Drill 2'], [46085.75, 'Drill 2'], [46085, 'Drill 2']);
		expect(left).toEqual([]);
		const hours = ['00', '12', '18'];
		expect(credited()).toEqual(hours.map((hour) => `2026-03-04T${hour}:00:00-05:00`));
	});
});

test('event attendance: everybody on the sheet is a member, counted, or listed with the reason', async () => {
	const all = ['Member', 'member', ' Member', 'ADULT', 'Child', 'senior ', 'Adults', '', undefined];
	const rows = all.map((Group, at) => ({ Name: `Person ${at}`, Group }) as IDataObject);
	const sheet = [...rows, { Name: ' ', Group: '' }];
	const read = await new Example('sign-in-sheet').runCode('Groups', sheet);
	expect(read.map(({ group }) => group)).toEqual([
		...['member', 'member', 'member', 'adult', 'child', 'senior', 'none', 'none', 'none'],
	]);
	expect(read.map(({ Name }) => Name)).toEqual(rows.map(({ Name }) => Name));
	const must = 'but must be Member, Adult, Child or Senior.';
	expect(read.flatMap(({ message }) => message ?? [])).toEqual([
		`Group is "Adults", ${must}`,
		...[`Group is empty, ${must}`, `Group is empty, ${must}`],
	]);
});

test.each([
	['nightly-rows-with-keys', 'Rows to Send'],
	['rows-in-doubt-settle-themselves', 'What the List Shows'],
])('%s: two rows with the same ID both reach the node, which refuses them', (file, name) => {
	const example = new Example(file);
	const rows = [1, 2, 2, undefined, undefined].map((rowID, at) => ({ rowID, name: `row ${at}` }));
	const code = example.parametersOf(name).jsCode as string;
	const $ = () => ({ isExecuted: true, all: () => [] });
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- n8n runs this code.
	const run = new Function('$', '$input', 'DateTime', '$now', code) as (
		...all: unknown[]
	) => Array<{ json: IDataObject }>;
	const input = { all: () => rows.map((json) => ({ json })) };
	const given = run($, input, DateTime, DateTime.now()).map(({ json }) => json.name);
	expect(given).toEqual(rows.map((row) => row.name));
});

test('nightly-rows-in-postgresql: nothing is sent if two rows share an ID or a row lacks one', async () => {
	const read = (rows: IDataObject[]) =>
		new Example('nightly-rows-in-postgresql').runCode('Each Has Its ID', rows);
	const row = { rowID: 7, name: 'A' };
	// The same row on two days counts once.
	expect(await read([row, { ...row }, { rowID: 8, name: 'A' }])).toHaveLength(3);
	await expect(read([row, { rowID: '7', name: 'B' }])).rejects.toThrow(
		/Nothing was sent.*"name":"B"/,
	);
	await expect(read([row, { name: 'C' }])).rejects.toThrow(/Nothing was sent.*"name":"C"/);
});
