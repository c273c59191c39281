// Send Once: n8n remembers which items were sent, across runs.
import type { IDataObject } from 'n8n-workflow';

import { retryDelays } from '../../../engine/n8nDatabase';
import { limits, timing } from '../../../engine/once/timing';
import type { FaultRule } from '../../../sandbox/faults.mts';
import { createSchedules } from '../../harness/createSchedules.cts';
import { contextOf, useStoreOfKeys } from '../../harness/keyRows.cts';
import { rowNames } from '../../harness/records.cts';
import { continueOnFail, errorOf, outcomesOf, type RunOptions } from '../../harness/run.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

Object.assign(timing, { pollInterval: 1, deadAfter: 30 });
retryDelays.splice(0, Infinity, 1, 1);

// Pauses after a failed request; heartbeats are further apart.
useVirtualTime({ skipsPauses: true, longestSkipped: 1000 });
const store = useStoreOfKeys();

const sandbox = useSandbox({ each: 'test' });
const inEditor = { mode: 'manual' as const };
const stop = { nodeSettings: { onError: 'stopWorkflow' as const } };

const items = (...numbers: number[]) => numbers.map((n) => ({ rowID: n, name: `row ${n}` }));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Sends items, each with its rowID as the key. */
const create = (
	given: IDataObject[],
	options: IDataObject = {},
	{ credentials = sandbox.credentials(), ...more }: Partial<RunOptions> = {},
) =>
	createSchedules(credentials, {
		items: given,
		nodeSettings: continueOnFail,
		...more,
		options: { sendOnceKey: '={{ $json.rowID }}', maxTries: 1, ...options },
	});

/** The marks of a key whose run died or is sending the item. */
const marksOfDead = ['sent', 'started'];

/** The names in the service, with repetitions. */
const inTheService = () => rowNames(sandbox).sort();
const named = (...numbers: number[]) => numbers.map((n) => `row ${n}`).sort();
const fault = (one: Omit<FaultRule, 'operation'>) => ({ ...one, operation: 'createShiftSchedule' });

test('no later run resends an item', async () => {
	expect(outcomesOf(await create(items(...upTo(100))))).toEqual(upTo(100).map(() => 'sent'));
	const again = await create(items(...upTo(101)));
	expect(outcomesOf(again)).toEqual([...upTo(100).map(() => 'alreadySent'), 'sent']);
	expect(again.json[3]).toEqual({ alreadySent: true, key: '3' });
	const withFields = async (include: string) => (await create(items(3), { include })).json[0];
	expect(await withFields('sentFields')).toEqual(again.json[3]);
	expect(await withFields('inputItem')).toEqual({ ...again.json[3], name: 'row 3', rowID: 3 });
	expect(again.items[3]!.pairedItem).toEqual({ item: 3 });
	expect(again.hints).toEqual(['Of 101 rows: 1 sent, 100 already sent.']);
	// The second run's look-up has not changed the store.
	expect(outcomesOf(await create(items(1, 2)))).toEqual(['alreadySent', 'alreadySent']);
	expect(inTheService()).toEqual(named(...upTo(101)));
});

const isNewHere =
	/^'Send Once' is new in this node: .* Rows that were already sent, .* are resent, unless you first run them with .* set to 'All Rows Are There'\.$/;
const saysItIsNew = ({ hints }: { hints: string[] }) => hints.some((hint) => isNewHere.test(hint));

test('a hint says that the node remembers no key, even before it sends', async () => {
	expect(saysItIsNew(await create(items(1), { checkOnly: true }))).toBe(true);
	expect(saysItIsNew(await create(items(1)))).toBe(true);
	for (const checkOnly of [true, false])
		expect(saysItIsNew(await create(items(1, 2), { checkOnly }))).toBe(false);
	// A copy of the node, or of its workflow in another n8n.
	expect(saysItIsNew(await create(items(1), {}, { nodeSettings: { id: '3' } }))).toBe(true);
	const withoutKey = await createSchedules(sandbox.credentials(), { items: items(3) });
	expect(saysItIsNew(withoutKey)).toBe(false);
});

test('every failed item names its key', async () => {
	sandbox.faults.set([fault({ fault: 'refuse', status: 409, times: 1 })]);
	const given = [...items(1, 5), { rowID: 3, name: {} }, ...items(2, 2)];
	const { json } = await create(given, { parallelRequests: 1 });
	const keys = json.map((item) => errorOf(item)?.key);
	expect(keys).toEqual(['1', undefined, '3', '2', '2']);
	const wrongKey = { credentials: sandbox.credentials({ apiKey: 'x' }) };
	expect((await create(items(4), {}, wrongKey)).json).toMatchObject([
		{ error: { outcome: 'notSent', key: '4' } },
	]);
});

test.each([
	...[' 1', '1 ', 'A  1', '04 undefined', 'null 04', '04 Invalid Date'].map((key) => [
		key,
		'a part of it is empty or has spaces around it',
	]),
	...['04 Invalid DateTime', '[object Object]', 'undefined'].map((key) => [
		key,
		'must be a value: an expression gave nothing',
	]),
	...['1\u00a02', '\u200b1', '1\ufeff', '1\n2', '\u200b', '1\u3164', '1\u2028', '1\u2800'].map(
		(key) => [key, 'must have no invisible character'],
	),
])('the key %j is refused, since it is not whole or looks like another', async (rowID, rule) => {
	const { error } = await create([{ rowID, name: 'A' }], {}, stop);
	expect(error?.message).toContain(rule);
	expect(inTheService()).toEqual([]);
});

test('a key is the same in each Unicode form', async () => {
	const rows = ['caf\u00e9', 'cafe\u0301'].map((rowID) => [{ rowID, name: 'row 1' }]);
	for (const row of rows) await create(row);
	expect(inTheService()).toEqual(named(1));
});

/** The earlier run may have ended normally. */
const leftInDoubt = 'Another run began to send this row, and its outcome is unknown';

test.each([
	['areNotThere', 'sent', [1, 1, 2]],
	// An assistant writes what the form shows.
	['They Are Not There', 'sent', [1, 1, 2]],
	['areThere', 'alreadySent', [1, 2]],
])('a person answers about the items in doubt: %s', async (sendOnceLookedUp, outcome, rows) => {
	sandbox.faults.set([fault({ fault: 'resetAfter', times: 1 })]);
	const first = await create(items(1, 2), { parallelRequests: 1 });
	expect(outcomesOf(first)).toEqual(['inDoubt', 'sent']);
	sandbox.faults.set([]);
	for (const unanswered of [{}, { sendOnceLookedUp: 'leave' }]) {
		const { json } = await create(items(1, 2), unanswered);
		expect(outcomesOf({ json })).toEqual(['inDoubt', 'alreadySent']);
		expect(json[0]!.message).toContain(leftInDoubt);
	}
	const { error } = await create(items(1), {}, stop);
	expect(error?.message).toContain(leftInDoubt);
	expect(error?.description).toContain('Send Once: Looked-Up Rows');
	const answered = await create(items(1, 2), { sendOnceLookedUp }, inEditor);
	expect(outcomesOf(answered)).toEqual([outcome, 'alreadySent']);
	expect(answered.hints.join()).toContain("'Send Once: Looked-Up Rows' is set: remove it");
	expect(outcomesOf(await create(items(1, 2)))).toEqual(['alreadySent', 'alreadySent']);
	expect(inTheService()).toEqual(named(...rows));
});

test('an answer from an expression is about its row, so no hint asks to remove it', async () => {
	const answered = await create(items(1), { sendOnceLookedUp: "={{ $json.found ?? 'areThere' }}" });
	expect(answered.hints.join()).not.toContain('remove the option');
});

test('an answer is out of date if another run was sending the item meanwhile', async () => {
	await store.rememberLike(() => create(items(0)), [1], marksOfDead);
	for (const expected of ['inDoubt', 'sent']) {
		const anyway = await create(items(1), { sendOnceLookedUp: 'areNotThere' }, inEditor);
		expect(outcomesOf(anyway)).toEqual([expected]);
	}
	expect(inTheService()).toEqual(named(0, 1));
});

test('items that share a key are not sent, and the others are', async () => {
	const rows = [
		...items(1, 2),
		{ rowID: '1', name: 'row 9' },
		{ rowID: '3', name: { n: 1 } },
		{ rowID: '3', name: 'row 3' },
	];
	const { error } = await create(rows, {}, stop);
	expect(error?.message).toMatch(/^Nothing was sent: /);
	const again = (key: number) =>
		`'Send Once' has "${key}" more than once in this run, but must be unique per row: drag columns onto it that together are unique per row`;
	const { json } = await create(rows);
	expect(outcomesOf({ json })).toEqual(['notSent', 'sent', 'notSent', 'notSent', 'notSent']);
	expect(json.map(({ message }) => message)).toEqual(
		[again(1), undefined, again(1), again(3), again(3)].map(
			(said) => said && (expect.stringContaining(said) as string),
		),
	);
	expect(json[3]!.message).toMatch(/^'Name' is \{"n":1\}/);
	expect(inTheService()).toEqual(named(2));
	// Nobody knows which of them was sent before.
	const shared = await create([...items(2), { rowID: 2, name: 'row 8' }]);
	expect(outcomesOf(shared)).toEqual(['notSent', 'notSent']);
});

test.each([[''], ['  '], [null], [{ a: 1 }]])('%j is no key', async (rowID) => {
	const { json } = await create([{ rowID, name: 'row 1' }]);
	expect(outcomesOf({ json })).toEqual(['notSent']);
	expect(json[0]!.message).toContain('Send Once');
	expect(inTheService()).toEqual([]);
});

test('a key is unique within one service and one operation', async () => {
	await create(items(1));
	// The same accounts and records at another address.
	await sandbox.restart({ port: 0 });
	expect(outcomesOf(await create(items(1)))).toEqual(['sent']);
	const nodeSettings = { id: '3' };
	expect(outcomesOf(await create(items(1), {}, { nodeSettings }))).toEqual(['sent']);
});

test('an item that waits when the execution is cancelled is not in doubt: another run may be sending it', async () => {
	await store.rememberLike(() => create(items(0)), [1], marksOfDead);
	const cancel = new AbortController();
	const { pollInterval } = timing;
	const onPoll = { configurable: true, get: () => (cancel.abort(), pollInterval) };
	Object.defineProperty(timing, 'pollInterval', onPoll);
	const { json, data } = await create(items(1), {}, { cancel: cancel.signal });
	Object.defineProperty(timing, 'pollInterval', { value: pollInterval, writable: true });
	expect(json).toMatchObject([
		{
			message: expect.stringMatching(
				/^Not sent: another run may have sent this row or be sending it/,
			),
			error: { outcome: 'awaited', code: 'otherRun', retryable: true },
		},
	]);
	expect(data.resultData.metadata?.Agency_Records).toContain(
		'Node: 1 failed: not known yet [row 1 (item 0)]',
	);
});

test('if the store fails while another run may be sending the item, nobody is asked to look it up', async () => {
	await store.rememberLike(() => create(items(0)), [1], marksOfDead);
	let polls = 0;
	store.rows.between = (kind) => {
		if (kind === 'record' && ++polls > 1) throw new Error('disk full');
	};
	const { json } = await create(items(1));
	expect(json).toMatchObject([
		{ error: { outcome: 'awaited', code: 'otherRun', fault: 'passing' } },
	]);
});

test('when outcomes cannot be recorded, their items are in doubt later, and a hint says so', async () => {
	store.rows.between = (kind) => {
		if (kind === 'remove') throw new Error('disk full');
	};
	const first = await create(items(1, 2));
	expect(outcomesOf(first)).toEqual(['sent', 'sent']);
	expect(first.hints.join()).toContain('in doubt');
	store.rows.between = () => {};
	expect(outcomesOf(await create(items(1, 2)))).toEqual(['inDoubt', 'inDoubt']);
	expect(inTheService()).toEqual(named(1, 2));
});

test('a key that the store does not report on does not count as new', async () => {
	const record = store.rows.checkProcessedAndRecord.bind(store.rows);
	store.rows.checkProcessedAndRecord = async (marks, scope, ...more) => {
		const told = await record(marks, scope, ...more);
		if (scope === 'workflow') return told;
		return { ...told, new: told.new.filter((mark) => !String(mark).startsWith('started')) };
	};
	expect(outcomesOf(await create(items(1)))).toEqual(['inDoubt']);
	expect(inTheService()).toEqual([]);
});

test('if the database stays unreachable, nothing is sent, and no message asks to save the workflow', async () => {
	store.rows.between = store.rows.workflowRow = () => {
		throw new Error('terminating connection');
	};
	const { json } = await create(items(1));
	expect(json).toMatchObject([{ error: { outcome: 'notSent', retryable: true } }]);
	expect(JSON.stringify(json)).toContain('run it again later');
	expect(JSON.stringify(json)).not.toContain('Save the workflow');
	store.rows.getProcessedDataCount = () => Promise.reject(new Error('terminating connection'));
	const checked = await create(items(1), { checkOnly: true });
	expect(checked.json).toMatchObject([{ wouldSend: { method: 'POST' } }]);
	expect(saysItIsNew(checked)).toBe(false);
});

test('an item whose answer cannot be read is done, and is not sent again', async () => {
	sandbox.faults.set([fault({ fault: 'emptyResponse', times: 1 })]);
	expect(outcomesOf(await create(items(1)))).toEqual(['unreadable']);
	expect(outcomesOf(await create(items(1)))).toEqual(['alreadySent']);
});

test('at the limit of remembered keys, no item with a new key is sent', async () => {
	limits.all = 1000;
	await create(items(...upTo(998)));
	const { json, hints } = await create(items(...upTo(1003).slice(997)));
	limits.all = 100_000;
	const refused = ['notSent', 'notSent', 'notSent'];
	expect(outcomesOf({ json })).toEqual(['alreadySent', 'sent', 'sent', ...refused]);
	expect(json.at(-1)!.message).toContain('the limit of 1,000 remembered keys is reached');
	expect(hints.join()).toMatch(/about 1,000 keys of this node/);
	const known = await create(items(0, 500, 999));
	expect(outcomesOf(known)).toEqual(['alreadySent', 'alreadySent', 'alreadySent']);
	expect(inTheService()).toEqual(named(...upTo(1000)));
});

test('next to a Remove Duplicates node for the whole workflow, nothing is sent, and the message says why', async () => {
	const context = contextOf('workflow');
	await store.rows.checkProcessedAndRecord(['a', 'b'], 'workflow', context, { mode: 'entries' });
	const { error } = await create(items(1), {}, stop);
	expect(error?.message).toMatch(
		/^Not sent: .* Remove Duplicates node .* 'Scope' set to 'Workflow'/,
	);
	expect(error?.description).toContain("Set the 'Scope' of that node to 'Node'.");
	expect(inTheService()).toEqual([]);
	await store.rows.clearAllProcessedItems('workflow', context);
	expect(outcomesOf(await create(items(1)))).toEqual(['sent']);
});

test('a key in doubt stays in doubt if its row is resent and refused', async () => {
	sandbox.faults.set([fault({ fault: 'resetAfter', times: 1 })]);
	await create(items(1));
	sandbox.faults.set([fault({ fault: 'refuse', status: 409, times: 1 })]);
	const { json } = await create(items(1), { sendOnceLookedUp: 'areNotThere' }, inEditor);
	expect(outcomesOf({ json })).toEqual(['refused']);
	sandbox.faults.set([]);
	expect(outcomesOf(await create(items(1)))).toEqual(['inDoubt']);
});

test('another spelling of the Base URL is the same service', async () => {
	const port = new URL(sandbox.url).port;
	const spelled = (baseUrl: string) => ({ credentials: sandbox.credentials({ baseUrl }) });
	await create(items(1), {}, spelled(`HTTP://LocalHost:${port}/`));
	const again = await create(items(1, 2), {}, spelled(`http://localhost:${port}`));
	expect(outcomesOf(again)).toEqual(['alreadySent', 'sent']);
	const asAtFirst = await create(items(1, 2), {}, spelled(`HTTP://LocalHost:${port}/`));
	expect(outcomesOf(asAtFirst)).toEqual(['alreadySent', 'alreadySent']);
});

test('an outcome is recorded while another item of the run takes long', async () => {
	const usual = { ...timing };
	Object.assign(timing, { heartbeatInterval: 5, deadAfter: 20_000 });
	let respondLast!: () => void;
	let onLast!: () => void;
	const lastHasCome = new Promise<void>((resolve) => (onLast = resolve));
	const service = await startFakeService((_, response, body) => {
		const respond = () => void response.writeHead(201).end('{"shiftScheduleID":7}');
		if (!body.includes('row 2')) return respond();
		respondLast = respond;
		onLast();
	});
	const credentials = credentialsFor(service.url);
	const run = create(items(1, 2), {}, { credentials });
	await lastHasCome;
	expect(outcomesOf(await create(items(1), {}, { credentials }))).toEqual(['alreadySent']);
	respondLast();
	expect(outcomesOf(await run)).toEqual(['sent', 'sent']);
	Object.assign(timing, usual);
});
