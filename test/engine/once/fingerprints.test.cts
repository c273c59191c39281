// Send Once: what a run does when a key has come to mean another row, or a row has got another key.
import type { IDataObject, INodeParameters, INodeType, WorkflowExecuteMode } from 'n8n-workflow';

import { retryDelays } from '../../../engine/n8nDatabase';
import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { aDay } from '../../harness/aDay.mts';
import { createSchedules } from '../../harness/createSchedules.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { rowNames } from '../../harness/records.cts';
import { continueOnFail, errorOf, outcomesOf, type RunOptions } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

declare const native: (module: string) => unknown;

const store = useStoreOfKeys();
retryDelays.splice(0, Infinity, 1, 1);
const sandbox = useSandbox({ each: 'test' });

/** Sends rows in a run of a published workflow, unless it says otherwise. */
const create = (items: IDataObject[], options: IDataObject = {}, more: Partial<RunOptions> = {}) =>
	createSchedules(sandbox.credentials(), {
		items,
		mode: 'trigger',
		nodeSettings: continueOnFail,
		...more,
		options: { sendOnceKey: '={{ $json.id }}', maxTries: 1, ...options },
	});
const inEditor = { mode: 'manual' as WorkflowExecuteMode };
const underStop = { nodeSettings: { onError: 'stopWorkflow' as const } };
const withFields = (fields: IDataObject) => ({
	parameters: { fields: { ...aDay, name: '={{ $json.name }}', ...fields } } as never,
});
/** As somebody makes the key unique who does not know that it was. */
const otherKey = { sendOnceKey: '={{ $json.id }} {{ $json.name }}' };

/** Rows by their number, each with a letter as its name. */
const rows = (names: Record<number | string, string>) =>
	Object.entries(names).map(([id, name]) => ({ id, name: `row ${name}` }));
const list = rows({ 1: 'a', 2: 'b', 3: 'c' });
const inTheService = () =>
	rowNames(sandbox)
		.map((name) => name.slice(-1))
		.sort()
		.join('');
const refuse = { operation: 'createShiftSchedule', fault: 'refuse', status: 409 } as const;

test('a row of a growing list that was changed is told each time, and not sent', async () => {
	await create(list);
	for (const [names, counts] of [
		[{ 1: 'a', 2: 'x', 3: 'c', 4: 'd' }, '1 sent, 3 already sent'],
		[{ 4: 'd', 2: 'x' }, '2 already sent'],
	] as const) {
		const { json, hints, data } = await create(rows(names as never));
		expect(json).toContainEqual({ alreadySent: true, changed: true, key: '2' });
		const told = `${counts}, 1 of them with other values: correct that in the service`;
		expect(hints).toEqual([`Of ${json.length} rows: ${told}.`]);
		expect(data.resultData.metadata).toEqual({ Agency_Records: `Node: ${told}` });
	}
	expect(inTheService()).toBe('abcd');
	expect(outcomesOf(await create(list))).toEqual(['alreadySent', 'alreadySent', 'alreadySent']);
});

test('the rows of another list fail under known keys, and are sent under keys of their own', async () => {
	await create(list);
	const other = rows({ 1: 'p', 2: 'q', 4: 's' });
	const { json } = await create(other);
	expect(outcomesOf({ json })).toEqual(['notSent', 'notSent', 'sent']);
	expect(json[0]!.message).toMatch(/^The key "1" was sent before with other values: /);
	expect(errorOf(json[0])).toMatchObject({ key: '1', retryable: false, code: 'otherRun' });
	const { error } = await create(rows({ 1: 'p' }), {}, underStop);
	expect(json[0]!.message).toContain(error?.message);
	const ofOther = rows({ 'other 1': 'p', 'other 2': 'q', 4: 's' });
	expect(outcomesOf(await create(ofOther))).toEqual(['alreadySent', 'sent', 'sent']);
	expect(inTheService()).toBe('abcpqs');
});

test.each<[string, IDataObject[], Partial<RunOptions>]>([
	['a shuffled list', [...list].reverse(), {}],
	['a list that grows', [...list, { id: 4, name: 'row d' }], {}],
	[
		'numbers as texts, and columns in another order',
		list.map(({ id, name }) => ({ name, id: Number(id) })),
		{},
	],
	['a time in another notation', list, withFields({ toDate: '2026-03-03T12:00:00Z' })],
	[
		'other options',
		list,
		{
			parameters: {
				options: { ...otherKey, sendOnceKey: '={{ $json.id }}', timeout: 7, additionalFields: {} },
			},
		},
	],
])('what is the same is not told as changed: %s', async (_, items, more) => {
	await create(list);
	const { json } = await create(items, {}, more);
	expect(json.slice(0, 3)).toEqual(
		items.slice(0, 3).map(({ id }) => ({ alreadySent: true, key: `${id as string}` })),
	);
	expect(rowNames(sandbox)).toHaveLength(items.length);
});

/** What n8n's expressions tell the time by. */
const vm = native('node:vm') as { runInThisContext(code: string): unknown };
const clockOfN8n = vm.runInThisContext('Date') as DateConstructor;
const dayLater = async <T,>(work: () => Promise<T>): Promise<T> => {
	const clock = jest.spyOn(clockOfN8n, 'now').mockReturnValue(Date.now() + 86_400_000);
	try {
		return await work();
	} finally {
		clock.mockRestore();
	}
};

test.each(['={{ $now }}', '={{ $today.plus({ days: 1 }) }}', '={{ DateTime.now().toISO() }}'])(
	'a field that gives something else each time is no part of a row: %s',
	async (toDate) => {
		const more = withFields({ fromDate: '2020-01-01', toDate });
		await create(list, {}, more);
		const { json } = await dayLater(() => create(list, {}, more));
		expect(json).toEqual(list.map(({ id }) => ({ alreadySent: true, key: id })));
		const changed = await create(rows({ 1: 'a', 2: 'x' }), {}, more);
		expect(changed.json[1]).toMatchObject({ changed: true });
	},
);

test.each<[string, INodeType, (record: string) => INodeParameters]>([
	[
		'JSON',
		new AgencyShiftSchedules(),
		(json) => ({ specifyFields: 'json', json, options: { sendOnceKey: '={{ $json.id }}' } }),
	],
	[
		'Body',
		new AgencyRecordsRequest(),
		(body) => ({
			operation: 'post',
			path: '/agencyshiftschedules/shiftschedules',
			body,
			options: { sendOnceKey: '={{ $json.id }}' },
		}),
	],
])('nor is a record that one expression gives with the day in it: %s', async (_, node, of) => {
	const record =
		'={{ { name: $json.name, fromDate: $today.toISO(), toDate: $today.plus({ days: 1 }).toISO() } }}';
	const send = () => create(list, {}, { node, parameters: of(record) });
	await send();
	const { json } = await dayLater(send);
	expect(json).toEqual(list.map(({ id }) => ({ alreadySent: true, key: id })));
	expect(inTheService()).toBe('abc');
});

test('the same values under new keys are sent, each time and in one run', async () => {
	for (const [week, expected] of [
		[[1, 2], 'aa'],
		[[3], 'aaa'],
		[[4, 5], 'aaaaa'],
	] as const) {
		await create(week.map((id) => ({ id, name: 'row a' })));
		expect(inTheService()).toBe(expected);
	}
});

const saysTheKeyWasChanged =
	/^The item with the key ".*" is in doubt: the key of 'Send Once' was changed, and a row with these values was sent under the old one/;

test.each([
	['areThere', 'alreadySent', 'abcd'],
	['areNotThere', 'sent', 'aabbccd'],
])(
	'rows whose key was changed are in doubt, until a person says: %s',
	async (sendOnceLookedUp, outcome, names) => {
		await create(list);
		const more = [...list, { id: 4, name: 'row d' }];
		const { json } = await create(more, otherKey);
		expect(outcomesOf({ json })).toEqual(['inDoubt', 'inDoubt', 'inDoubt', 'sent']);
		expect(json[0]!.message).toMatch(saysTheKeyWasChanged);
		const again = await create(more, otherKey);
		expect(outcomesOf(again)).toEqual(['inDoubt', 'inDoubt', 'inDoubt', 'alreadySent']);
		const answered = await create(more, { ...otherKey, sendOnceLookedUp });
		expect(outcomesOf(answered)).toEqual([outcome, outcome, outcome, 'alreadySent']);
		expect(new Set(outcomesOf(await create(more, otherKey)))).toEqual(new Set(['alreadySent']));
		expect(inTheService()).toBe(names);
	},
);

test('no row of a run that stops at the first changed key is sent by the next one', async () => {
	await create(list);
	for (let run = 0; run < 2; run++) {
		const { error } = await create(list, otherKey, underStop);
		expect(error?.message).toContain('in doubt');
	}
	expect(inTheService()).toBe('abc');
});

test('a trial in the editor leaves no trace of a key: the run of the published workflow sees the change', async () => {
	await create(list);
	await create([list[0]!], otherKey, inEditor);
	const { json } = await create(list, otherKey);
	expect(outcomesOf({ json })).toEqual(['inDoubt', 'inDoubt', 'inDoubt']);
	expect(json[2]!.message).toMatch(saysTheKeyWasChanged);
	expect(inTheService()).toBe('abc');
});

test('new rows go under a changed key, also in an editor, and one after the other', async () => {
	await create(list);
	for (const [name, more] of [
		['d', inEditor],
		['e', {}],
		['f', {}],
	] as const)
		expect(outcomesOf(await create(rows({ 9: name }), otherKey, more))).toEqual(['sent']);
	expect(inTheService()).toBe('abcdef');
});

test('the name of a node in the expression is no part of the key', async () => {
	const keyOf = (node: string) => ({ sendOnceKey: `={{ $json.id ?? $('${node}').item.json.id }}` });
	await create(rows({ 1: 'a' }), keyOf('Sheet'));
	// The same notice again.
	await create(rows({ 2: 'a' }), keyOf("Chief\\'s sheet"));
	expect(inTheService()).toBe('aa');
});

test('values that were refused are not remembered, unless another row was sent with them', async () => {
	await create(list);
	sandbox.faults.set([{ ...refuse, times: 1 }]);
	const twice = rows({ 8: 'x', 9: 'x' });
	const oneByOne = { parallelRequests: 1 };
	expect(outcomesOf(await create(twice, oneByOne))).toEqual(['refused', 'sent']);
	expect((await create([twice[1]!])).json).toEqual([{ alreadySent: true, key: '9' }]);
	sandbox.faults.set([{ ...refuse, times: 2 }]);
	const refused = rows({ 6: 'y', 7: 'y' });
	expect(outcomesOf(await create(refused, oneByOne))).toEqual(['refused', 'refused']);
	sandbox.faults.set([]);
	expect(outcomesOf(await create(rows({ 3: 'y' })))).toEqual(['notSent']);
	expect(outcomesOf(await create(refused))).toEqual(['sent', 'sent']);
});

test("an agent's tool words things anew: what it has sent is already sent", async () => {
	const node: INodeType = new AgencyShiftSchedules();
	node.description = { ...node.description, name: `${node.description.name}Tool` };
	for (const name of ['a', 'x', 'x']) await create(rows({ 1: name }), {}, { node });
	expect(inTheService()).toBe('a');
	const { json } = await create(rows({ 1: 'x' }), {}, { node });
	expect(json).toEqual([{ alreadySent: true, key: '1' }]);
});

describe('a row whose values do not fit any more', () => {
	const invalid = [
		{ id: 1, name: {} },
		{ id: 2, name: 'row b' },
	];

	test('is already sent if its key is known, and stops nothing', async () => {
		await create(list.slice(0, 1));
		const { json, hints } = await create(invalid, {}, underStop);
		expect(json[0]).toEqual({ alreadySent: true, changed: true, key: '1' });
		expect(outcomesOf({ json })).toEqual(['alreadySent', 'sent']);
		expect(hints.join()).toContain('1 sent, 1 already sent, 1 of them with other values');
		expect(inTheService()).toBe('ab');
	});

	test('is in doubt if its key is', async () => {
		sandbox.faults.set([{ ...refuse, fault: 'resetAfter', times: 1 }]);
		await create(list.slice(0, 1));
		sandbox.faults.set([]);
		const { json } = await create(invalid);
		expect(outcomesOf({ json })).toEqual(['inDoubt', 'sent']);
		expect(errorOf(json[0])).toMatchObject({ key: '1', code: 'otherRun' });
		const { error } = await create(invalid, {}, underStop);
		expect(error?.message).toMatch(/^An earlier run left the item with the key "1" in doubt/);
		expect(inTheService()).toBe('ab');
	});

	test('is a problem of the run if its key is new, also when the store fails', async () => {
		for (const fails of [false, true]) {
			if (fails)
				store.rows.between = () => {
					throw new Error('disk full');
				};
			const { error } = await create(invalid, {}, underStop);
			expect(error?.message).toContain("'Name' is {}");
		}
		store.rows.between = () => {};
		expect(outcomesOf(await create(invalid))).toEqual(['notSent', 'sent']);
		expect(outcomesOf(await create(list))).toEqual(['sent', 'alreadySent', 'sent']);
		expect(inTheService()).toBe('abc');
	});
});

describe('a key', () => {
	test.each([
		['={{ $json.id }} {{ $now }}', 'gives another key each time'],
		['={{ Math.random() }}', 'gives another key each time'],
		['={{ $execution.id }} {{ $json.id }}', 'has the ID of the execution'],
		['={{ $itemIndex }}', "has only the row's place"],
		['=list {{ $itemIndex + 1 }}, {{ $runIndex }}', "has only the row's place"],
	])(
		'that no later run finds again is refused before anything is sent: %s',
		async (sendOnceKey, why) => {
			const { error } = await create(list, { sendOnceKey }, underStop);
			expect(error?.message).toContain(`'Send Once' ${why}`);
			expect(error?.message).toContain('such as its number in your system [rows 1–3 (items 0–2)]');
			expect(outcomesOf(await create(list, { sendOnceKey }))).toEqual([
				'notSent',
				'notSent',
				'notSent',
			]);
			expect(inTheService()).toBe('');
		},
	);

	test.each([
		"={{ $now.toFormat('yyyy-MM') }} {{ $json.id }}",
		'={{ $json.name }} {{ $itemIndex }}',
		"={{ $('Start').all()[$itemIndex].json.id }}",
	])('that a later run finds again is taken: %s', async (sendOnceKey) => {
		for (const outcome of ['sent', 'alreadySent'])
			expect(outcomesOf(await create(list, { sendOnceKey }))).toEqual([outcome, outcome, outcome]);
	});

	test('may have the ID of the execution in one call by an agent or by another workflow', async () => {
		const sendOnceKey = '={{ $execution.id }} {{ $json.id }}';
		const node: INodeType = new AgencyShiftSchedules();
		node.description = { ...node.description, name: `${node.description.name}Tool` };
		for (const more of [{ node }, { mode: 'integrated' as const }])
			expect(outcomesOf(await create(list.slice(0, 1), { sendOnceKey }, more))).toEqual(['sent']);
	});
});

describe('rows that are there already', () => {
	const allAreThere = { sendOnceLookedUp: 'allAreThere' };

	test('count as sent after one run in the editor, whatever their keys say', async () => {
		await create(rows({ 1: 'a' }));
		const { json, hints } = await create(rows({ 1: 'x', 2: 'b', 3: 'c' }), allAreThere, inEditor);
		expect(json).toEqual(['1', '2', '3'].map((key) => ({ alreadySent: true, key })));
		expect(hints).toContain('Of 3 rows: 3 already sent.');
		expect(hints.join()).toContain('remove the option');
		const { json: next } = await create(rows({ 1: 'x', 2: 'b', 3: 'c', 4: 'd' }));
		expect(outcomesOf({ json: next })).toEqual([
			'alreadySent',
			'alreadySent',
			'alreadySent',
			'sent',
		]);
		expect(next.some(({ changed }) => changed)).toBe(false);
		expect(inTheService()).toBe('ad');
	});

	test.each([
		['Continue', {}],
		['Stop', underStop],
	])('count as sent although their values do not fit, under %s', async (_, more) => {
		const { json } = await create([...list, { id: 4, name: {} }], allAreThere, {
			...inEditor,
			...more,
		});
		expect(outcomesOf({ json })).toEqual(Array.from(json, () => 'alreadySent'));
		const { json: next } = await create(rows({ 1: 'a', 4: 'd' }), {}, more);
		expect(next).toEqual([
			{ alreadySent: true, key: '1' },
			{ alreadySent: true, changed: true, key: '4' },
		]);
		expect(inTheService()).toBe('');
	});

	test('do not count as sent where a column was renamed: their values would be others later', async () => {
		const renamed = list.map(({ id, name }) => ({ id, title: name }));
		const { json } = await create(renamed, allAreThere, inEditor);
		expect(outcomesOf({ json })).toEqual(['notSent', 'notSent', 'notSent']);
		expect(json[0]!.message).toContain('$json.name');
	});

	test.each([
		['in a published workflow', {}, {}],
		['without a key', { sendOnceKey: undefined }, inEditor],
	])('cannot be told %s: nothing is sent', async (_, options, more) => {
		const { error } = await create(list, { ...allAreThere, ...options }, { ...more, ...underStop });
		expect(error?.message).toContain(
			"'Send Once: Looked-Up Rows' is 'All Rows Are There', which needs",
		);
		expect(inTheService()).toBe('');
	});
});
