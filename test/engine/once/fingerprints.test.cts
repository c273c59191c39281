// Send Once: how a run treats a key that now belongs to another row, and a row that has another key.
import type { IDataObject, INodeType, WorkflowExecuteMode } from 'n8n-workflow';

import { retryDelays } from '../../../engine/n8nDatabase';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { aDay } from '../../harness/aDay.mts';
import { createSchedules } from '../../harness/createSchedules.cts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { rowNames } from '../../harness/records.cts';
import { continueOnFail, errorOf, outcomesOf, type RunOptions } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';

declare const native: (module: string) => unknown;

const store = useStoreOfKeys();
retryDelays.splice(0, Infinity, 1, 1);
const sandbox = useSandbox({ each: 'test' });

/** Sends rows in an execution of the published workflow by default. */
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
/** The key of somebody who wants to make it unique, although it was. */
const otherKey = { sendOnceKey: '={{ $json.id }} {{ $json.name }}' };

/** Rows by number, each named with a letter. */
const rows = (names: Record<number | string, string>) =>
	Object.entries(names).map(([id, name]) => ({ id, name: `row ${name}` }));
const list = rows({ 1: 'a', 2: 'b', 3: 'c' });
const inTheService = () =>
	rowNames(sandbox)
		.map((name) => name.slice(-1))
		.sort()
		.join('');
const refuse = { operation: 'createShiftSchedule', fault: 'refuse', status: 409 } as const;

const hasOtherValues = /^This key was sent with other values, or as another user/;

test.each([
	['areThere', 'alreadySent'],
	// A second record of a corrected row.
	['areNotThere', 'inDoubt'],
])('a changed row is in doubt until it was looked up: %s', async (sendOnceLookedUp, outcome) => {
	await create(list);
	const changed = rows({ 1: 'a', 2: 'x', 3: 'c', 4: 'd' });
	for (const fourth of ['sent', 'alreadySent']) {
		const { json } = await create(changed);
		expect(outcomesOf({ json })).toEqual(['alreadySent', 'inDoubt', 'alreadySent', fourth]);
		expect(json[1]!.message).toMatch(hasOtherValues);
		const error = { key: '2', retryable: false, code: 'otherRun', fault: 'values' };
		expect(errorOf(json[1])).toMatchObject(error);
	}
	expect(outcomesOf(await create(list))).toEqual(['alreadySent', 'alreadySent', 'alreadySent']);
	const answered = await create(changed, { sendOnceLookedUp }, inEditor);
	expect(outcomesOf(answered)[1]).toBe(outcome);
	expect(outcomesOf(await create(list))).toEqual(['alreadySent', 'alreadySent', 'alreadySent']);
	expect(outcomesOf(await create(changed))[1]).toBe(outcome);
	expect(inTheService()).toBe('abcd');
});

test('when a run stops, no row that an earlier run has sent is called unsent', async () => {
	const many = rows(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, `${n}`])));
	await create(many);
	sandbox.faults.set([{ ...refuse, times: 1 }]);
	const items = [{ id: 99, name: 'row z' }, { ...many[0]!, name: 'row x' }, ...many.slice(1)];
	const { error } = await create(items, { parallelRequests: 1 }, underStop);
	expect(error?.description).toMatch(
		/Already processed, do not resend: rows 3–\d+ .*\. May or may not have been processed, look them up first: row 2 .*\. Not known yet, run them again: rows \d+–31 .*\. Not processed: row 1 /,
	);
	const known = many.slice(1).map(() => 'alreadySent');
	expect(outcomesOf(await create(items))).toEqual(['sent', 'inDoubt', ...known]);
});

test.each<[string, IDataObject[], Partial<RunOptions>]>([
	['texts for numbers, columns moved', list.map(({ id, name }) => ({ name, id: Number(id) })), {}],
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
])('is not reported as changed: %s', async (_, items, more) => {
	await create(list);
	const { json } = await create(items, {}, more);
	expect(json).toEqual(list.map(({ id }) => ({ alreadySent: true, key: id })));
	expect(inTheService()).toBe('abc');
});

/** The clock of n8n's expressions. */
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

test.each([
	'={{ $now }}',
	'={{ $today.plus({ days: 1 }) }}',
	'={{ DateTime.now().toISO() }}',
	'=2026-03-03T12:00:{{ 10 + Math.floor(Math.random() * 50) }}',
])('a field with another value each time does not change a row: %s', async (toDate) => {
	const more = withFields({ fromDate: '2020-01-01', toDate });
	await create(list, {}, more);
	const { json } = await dayLater(() => create(list, {}, more));
	expect(json).toEqual(list.map(({ id }) => ({ alreadySent: true, key: id })));
	const changed = await create(rows({ 1: 'a', 2: 'x' }), {}, more);
	expect(outcomesOf(changed)).toEqual(['alreadySent', 'inDoubt']);
});

const keyWasChanged = /^This key is new, but a row with these values was sent under another key/;

test.each([
	['areThere', 'alreadySent', 'abcd'],
	['areNotThere', 'sent', 'aabbccd'],
])('%s: rows whose key was changed are in doubt', async (sendOnceLookedUp, outcome, names) => {
	await create(list);
	const more = [...list, { id: 4, name: 'row d' }];
	const { json } = await create(more, otherKey);
	expect(outcomesOf({ json })).toEqual(['inDoubt', 'inDoubt', 'inDoubt', 'sent']);
	expect(json[0]!.message).toMatch(keyWasChanged);
	const again = await create(more, otherKey);
	expect(outcomesOf(again)).toEqual(['inDoubt', 'inDoubt', 'inDoubt', 'alreadySent']);
	const answered = await create(more, { ...otherKey, sendOnceLookedUp }, inEditor);
	expect(outcomesOf(answered)).toEqual([outcome, outcome, outcome, 'alreadySent']);
	expect(new Set(outcomesOf(await create(more, otherKey)))).toEqual(new Set(['alreadySent']));
	expect(inTheService()).toBe(names);
});

test('rows whose keys could not be claimed are in doubt in the next run', async () => {
	const all = rows(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, 'a'])));
	await create(all);
	let claims = 0;
	store.rows.between = (call) => {
		// The second claim fails, as often as it is tried.
		if (call === 'record' && [2, 3, 4].includes(++claims)) throw new Error('disk full');
	};
	const { json } = await create(all, otherKey);
	expect(new Set(outcomesOf({ json }))).toEqual(new Set(['inDoubt', 'notSent']));
	store.rows.between = () => {};
	expect(new Set(outcomesOf(await create(all, otherKey)))).toEqual(new Set(['inDoubt']));
});

test('an agent words a call anew: with the same key, it is already sent', async () => {
	const node: INodeType = new AgencyShiftSchedules();
	node.description = { ...node.description, name: `${node.description.name}Tool` };
	for (const name of ['a', 'x', 'x']) await create(rows({ 1: name }), {}, { node });
	expect(inTheService()).toBe('a');
	const { json } = await create(rows({ 1: 'x' }), {}, { node });
	expect(json).toEqual([{ alreadySent: true, key: '1' }]);
});

describe('a row whose values no longer fit', () => {
	const invalid = [
		{ id: 1, name: {} },
		{ id: 2, name: 'row b' },
	];

	test.each([
		['known', 0, hasOtherValues],
		['in doubt', 1, /^Another run began to send this row/],
	])('is in doubt if its key is %s, and stops nothing', async (_, times, message) => {
		if (times > 0) sandbox.faults.set([{ ...refuse, fault: 'resetAfter', times }]);
		await create(list.slice(0, 1));
		sandbox.faults.set([]);
		const { error } = await create(invalid, {}, underStop);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Correct its values first');
		expect(inTheService()).toBe('ab');
		const { json } = await create(invalid);
		expect(outcomesOf({ json })).toEqual(['inDoubt', 'alreadySent']);
		expect(errorOf(json[0])).toMatchObject({ key: '1', code: 'otherRun' });
		expect(errorOf(json[0])?.advice).toContain('Correct its values first');
	});

	test('is not taken for a row that was sent with just its valid values', async () => {
		const station = withFields({ stationNumber: '={{ $json.station }}' });
		const broken = [{ ...list[0]!, station: {} }];
		await create(list.slice(0, 1), {}, station);
		const { json } = await create(broken, {}, station);
		expect(errorOf(json[0])).toMatchObject({ reason: 'otherValues' });
		const allThere = { sendOnceLookedUp: 'allAreThere' };
		await create([{ ...broken[0]!, id: 7, name: 'row z' }], allThere, { ...station, ...inEditor });
		const whole = await create(rows({ 7: 'z' }), {}, station);
		expect(errorOf(whole.json[0])).toMatchObject({ reason: 'otherValues' });
	});

	test('is refused if its key is new, even when the store fails', async () => {
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
		['={{ $json.id }} {{ $now }}', 'has the time of day'],
		["={{ $now.toFormat('yyyy-MM-dd HH:mm') }} {{ $json.id }}", 'has the time of day'],
		['={{ new Date().toLocaleString() }} {{ $json.id }}', 'has the time of day'],
		['={{ Math.random() }}', 'has a random number'],
		['={{ $execution.id }} {{ $json.id }}', 'has the ID of the execution'],
		['={{ $itemIndex }}', "has the row's place"],
		['=list {{ $itemIndex + 1 }}, {{ $runIndex }}', "has the row's place"],
		['={{ $json.name }} {{ $itemIndex }}', "has the row's place"],
	])('that no later run would find is refused first: %s', async (sendOnceKey, why) => {
		const { error } = await create(list, { sendOnceKey }, underStop);
		expect(error?.message).toContain(`'Send Once' ${why}`);
		expect(error?.message).toContain('such as its number in your system [rows 1–3 (items 0–2; ');
		expect(outcomesOf(await create(list, { sendOnceKey }))).toEqual(Array(3).fill('notSent'));
		expect(inTheService()).toBe('');
	});

	test.each([
		"={{ $now.toFormat('yyyy-MM') }} {{ $json.id }}",
		'={{ new Date().getFullYear() }} {{ new Date(2026, 1).getTime() }} {{ $json.id }}',
		"={{ $('Start').all()[$itemIndex].json.id }}",
	])('that a later run finds is accepted: %s', async (sendOnceKey) => {
		for (const outcome of ['sent', 'alreadySent'])
			expect(outcomesOf(await create(list, { sendOnceKey }))).toEqual([outcome, outcome, outcome]);
	});

	test('may contain the ID of the execution when an agent or another workflow calls the node', async () => {
		const sendOnceKey = '={{ $execution.id }} {{ $json.id }}';
		const node: INodeType = new AgencyShiftSchedules();
		node.description = { ...node.description, name: `${node.description.name}Tool` };
		for (const more of [{ node }, { mode: 'integrated' as const }])
			expect(outcomesOf(await create(list.slice(0, 1), { sendOnceKey }, more))).toEqual(['sent']);
	});
});

describe('rows that are already in the service', () => {
	const allAreThere = { sendOnceLookedUp: 'allAreThere' };

	test('count as sent after one run in the editor, even if their values changed', async () => {
		await create(rows({ 1: 'a' }));
		const { json, hints } = await create(rows({ 1: 'x', 2: 'b', 3: 'c' }), allAreThere, inEditor);
		expect(json).toEqual(['1', '2', '3'].map((key) => ({ alreadySent: true, key })));
		expect(hints).toContain('Of 3 rows: 3 already sent.');
		expect(hints.join()).toContain('remove it before the next run');
		const next = await create(rows({ 1: 'x', 2: 'b', 3: 'c', 4: 'd' }));
		expect(outcomesOf(next)).toEqual(['alreadySent', 'alreadySent', 'alreadySent', 'sent']);
		expect(inTheService()).toBe('ad');
	});

	test.each([
		['Continue', {}],
		['Stop', underStop],
	])('count as sent even if their values do not fit, under %s', async (_, more) => {
		const { json, hints } = await create([...list, { id: 4, name: {} }], allAreThere, {
			...inEditor,
			...more,
		});
		expect(hints.join()).not.toContain('is new in this node');
		expect(outcomesOf({ json })).toEqual(Array.from(json, () => 'alreadySent'));
		const next = await create(rows({ 1: 'a', 4: 'd' }));
		expect(outcomesOf(next)).toEqual(['alreadySent', 'inDoubt']);
		expect(inTheService()).toBe('');
	});

	test('do not count as sent while a column is missing: their values would differ later', async () => {
		const renamed = list.map(({ id, name }) => ({ id, title: name }));
		const { json } = await create(renamed, allAreThere, inEditor);
		expect(outcomesOf({ json })).toEqual(['notSent', 'notSent', 'notSent']);
		expect(json[0]!.message).toContain('$json.name');
	});

	test.each([
		['in a published workflow', {}, {}, 'works only in an execution'],
		['without a key', { sendOnceKey: undefined }, inEditor, 'needs a key'],
		['by a check', { checkOnly: true }, inEditor, "is 'All Rows Are There', but with 'Check Only'"],
	])('cannot be remembered %s: nothing is sent', async (_, options, more, why) => {
		const { error } = await create(list, { ...allAreThere, ...options }, { ...more, ...underStop });
		expect(error?.message).toContain(`'Send Once: Looked-Up Rows' ${why}`);
		expect(inTheService()).toBe('');
	});
});

const keysAlone = { sendOnceCompare: 'keys' };

test('with Keys Alone, a changed row counts as sent, and is told until all rows are said to be there', async () => {
	await create(list);
	const changed = rows({ 1: 'a', 2: 'x' });
	for (let night = 0; night < 2; night++) {
		const { json, hints } = await create(changed, keysAlone);
		expect(json[1]).toEqual({ alreadySent: true, changed: true, key: '2' });
		expect(hints.join()).toContain('1 already sent with other values');
	}
	await create(changed, { ...keysAlone, ...{ sendOnceLookedUp: 'allAreThere' } }, inEditor);
	expect((await create(changed)).json[1]).toEqual({ alreadySent: true, key: '2' });
	expect(outcomesOf(await create(rows({ 9: 'a' }), keysAlone))).toEqual(['sent']);
});

test('They Are Not There sends all rows in doubt only if they are in doubt for one reason', async () => {
	sandbox.faults.set([{ ...refuse, fault: 'resetBefore', times: 1 }]);
	await create(list, { parallelRequests: 1 });
	sandbox.faults.set([]);
	const mixed = rows({ 1: 'a', 2: 'x', 8: 'b' });
	const reasons = ['unknownOutcome', 'otherValues', 'sameValues'];
	const { json } = await create(mixed);
	expect(json.map((row) => errorOf(row)?.reason)).toEqual(reasons);
	const all = { sendOnceLookedUp: 'areNotThere' };
	const refused = await create([...mixed, { id: 4, name: 'row d' }], all, inEditor);
	expect(refused.json.map((row) => errorOf(row)?.reason)).toEqual([...reasons, undefined]);
	expect(refused.json[1]!.message).toContain(
		'unknown: row 1 (item 0); This key was sent with other values, or as another user: row 2 (item 1); ',
	);
	expect(inTheService()).toBe('bcd');
	const each = { sendOnceLookedUp: "={{ $json.id ? 'areNotThere' : 'leave' }}" };
	expect(outcomesOf(await create(mixed, each))).toEqual(['sent', 'inDoubt', 'sent']);
	expect(inTheService()).toBe('abbcd');
});

test('an update whose values changed is sent on the answer that its record does not have them', async () => {
	const patch = (userID: number, more: IDataObject = {}) => {
		const parameters = {
			specifyFields: 'json',
			json: `={{ { op: "replace", path: [{ path: "/licenses/101" }], value: [{ userID: ${userID} }] } }}`,
			options: { sendOnceKey: '={{ $json.id }}', maxTries: 1, ...more },
		};
		return create([{ id: 1 }], {}, { node: new AgencyLicenses(), parameters, ...inEditor });
	};
	expect(outcomesOf(await patch(7))).toEqual(['sent']);
	// Updates begin with Keys Alone.
	expect((await patch(8)).json[0]).toEqual({ alreadySent: true, changed: true, key: '1' });
	const compared = { sendOnceCompare: 'keysAndValues' };
	expect(outcomesOf(await patch(8, compared))).toEqual(['inDoubt']);
	const answer = { ...compared, sendOnceLookedUp: 'areNotThere' };
	expect(outcomesOf(await patch(8, answer))).toEqual(['sent']);
	expect(outcomesOf(await patch(8, compared))).toEqual(['alreadySent']);
});

test('the tries of one run send equal rows under their own keys', async () => {
	// The second request is refused.
	const statuses = [201, 409, 201];
	const service = await startFakeService((_request, response) => {
		response.writeHead(statuses.shift()!).end('{"shiftScheduleID":7}');
	});
	const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const more = {
		credentials: credentialsFor(service.url),
		nodeSettings: { ...underStop.nodeSettings, ...tries },
	} as Partial<RunOptions>;
	const { error, json } = await create(rows({ 1: 'a', 2: 'a' }), { parallelRequests: 1 }, more);
	expect(error).toBeUndefined();
	expect(outcomesOf({ json })).toEqual(['sent', 'sent']);
	expect(statuses).toEqual([]);
});

test('an answer that is the same for each row is refused in a published workflow', async () => {
	await create(list);
	for (const sendOnceLookedUp of ['areThere', "={{ 'areThere' }}", 'areNotThere']) {
		const { error } = await create(list, { ...otherKey, sendOnceLookedUp }, underStop);
		expect(error?.message).toMatch(/^'Send Once: Looked-Up Rows' works only in an execution/);
	}
	expect(outcomesOf(await create(list, otherKey))).toEqual(['inDoubt', 'inDoubt', 'inDoubt']);
});

test('the settings of a refused row hold for no other', async () => {
	// The first write goes alone; of the others, only three at once get a response.
	let isFirst = true;
	const waiting: Array<() => void> = [];
	const service = await startFakeService((_request, response) => {
		waiting.push(() => void response.writeHead(201).end('{"shiftScheduleID":7}'));
		if (isFirst || waiting.length > 2) for (const respond of waiting.splice(0)) respond();
		isFirst = false;
	});
	const items = [{ id: 0, name: {} }, ...list, { id: 4, name: 'row d' }];
	const parallelRequests = '={{ typeof $json.name === "string" ? 3 : 1 }}';
	const more = { credentials: credentialsFor(service.url) };
	const { json } = await create(items, { parallelRequests }, more);
	expect(outcomesOf({ json })).toEqual(['notSent', 'sent', 'sent', 'sent', 'sent']);
});

test.each([
	['Parallel Requests', { parallelRequests: '={{ Number($json.id) }}' }],
	['Send Once: Compare', { sendOnceCompare: "={{ $json.id > 1 ? 'keys' : 'keysAndValues' }}" }],
	['Send Once: Remember', { sendOnceRemember: "={{ $json.id > 1 ? 'all' : 'latest' }}" }],
])('%s must be the same for all rows', async (label, options) => {
	const { error } = await create(list, options, underStop);
	expect(error?.message).toContain(`'${label}' must be the same for all rows of a run`);
	expect(inTheService()).toBe('');
});

test('a run that is cancelled while it claims keys leaves no trace of their values', async () => {
	const cancel = new AbortController();
	store.rows.workflowRow = (call) => void (call === 'clear' && cancel.abort());
	await create(list, {}, { cancel: cancel.signal });
	store.rows.workflowRow = () => {};
	expect(outcomesOf(await create(list))).toEqual(['sent', 'sent', 'sent']);
});
