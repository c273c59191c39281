// Send Once when n8n's database is slow, fails, or answers what it should not.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { timing } from '../../../engine/once/timing';
import type { WritingCall } from '../../../n8n-in-process/deduplication.mts';
import { useStoreOfKeys } from '../../harness/keyRows';
import type { RunOptions } from '../../harness/run';
import { startFakeService, type FakeService } from '../../harness/server';
import { comeToRest, nextTurn } from '../../harness/turns';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';
import { createWithKeys, items, outcomes, upTo } from './keyedCreates';

// Time passes here a second at a look, and not some milliseconds.
beforeEach(() => void Object.assign(timing, { pollsBeforeBreaking: 20 }));

const store = useStoreOfKeys();
const time = useVirtualTime();

/** Names that have arrived at the service, in order. */
let arrived: string[] = [];
/** Whether a name is answered only when the test says so. */
let isHeld: (name: string) => boolean;
let held: ServerResponse[] = [];
const answer = (response: ServerResponse) => response.end('{"shiftScheduleID":7}');
const answerHeld = () => held.splice(0).forEach(answer);

let service: FakeService;
beforeEach(async () => {
	arrived = [];
	held = [];
	isHeld = () => false;
	service = await startFakeService((_: IncomingMessage, response, body) => {
		const { name } = JSON.parse(body) as { name: string };
		arrived.push(name);
		if (isHeld(name)) held.push(response);
		else answer(response);
	});
});
afterEach(() => service.close());

const create = (given: IDataObject[], options?: IDataObject, more?: Partial<RunOptions>) =>
	createWithKeys(credentialsFor(service.url), given, options, more);

/** @throws Error when it does not become true, however many turns pass */
async function until(isTrue: () => boolean): Promise<void> {
	for (let turn = 0; !isTrue(); turn++) {
		if (turn > 100_000) throw new Error('It does not become true');
		await nextTurn();
	}
}

/** Lets time pass, a second at a time. @returns how many seconds passed until it became true, or as many as may */
async function passSeconds(most: number, isTrue = () => false): Promise<number> {
	for (let seconds = 0; ; seconds++) {
		await comeToRest();
		if (isTrue() || seconds === most) return seconds;
		time.pass(1000);
	}
}

/** Lets time pass until the work is done. @returns its value, and how many seconds passed */
async function secondsUntil<Value>(work: Promise<Value>): Promise<[Value, number]> {
	let isDone = false;
	void work.finally(() => (isDone = true));
	const seconds = await passSeconds(1000, () => isDone);
	if (!isDone) throw new Error('It hangs');
	return [await work, seconds];
}

/** Has a call of the node's row hang for ever. @returns whether it does yet */
function hangsAt(hanging: WritingCall, times = Infinity): () => boolean {
	let calls = 0;
	store.rows.between = (call) =>
		call === hanging && ++calls <= times ? new Promise(() => {}) : undefined;
	return () => calls > 0;
}

/** A run that is cancelled while the service is sending its only item. */
async function interrupted(number: number): Promise<void> {
	isHeld = () => true;
	const cancel = new AbortController();
	const run = create(items(number), {}, { cancel: cancel.signal });
	await until(() => held.length === 1);
	cancel.abort();
	await run;
	held = [];
}

/** The text of everything that a person reads. */
const wordsOf = ({ json, hints }: { json: IDataObject[]; hints: string[] }) =>
	JSON.stringify([json, hints]);

const anywhere = (fail: () => void) => {
	store.rows.between = fail;
	store.rows.workflowRow = fail;
};

/** The node hangs when it asks how many keys there are. */
function hangsAtCount(): () => boolean {
	const count = jest.spyOn(store.rows, 'getProcessedDataCount');
	count.mockReturnValueOnce(new Promise(() => {}));
	return () => count.mock.calls.length > 0;
}

test.each([
	['the keys are claimed', () => hangsAt('record', 1)],
	['the keys are counted', hangsAtCount],
])(
	'a call that hangs while %s: a run that is cancelled ends, and the next goes on',
	async (_, hangs) => {
		const isHanging = hangs();
		const cancel = new AbortController();
		const first = create(items(1), {}, { cancel: cancel.signal });
		await until(isHanging);
		cancel.abort();
		await first;
		expect(arrived).toEqual([]);
		const [second, seconds] = await secondsUntil(create(items(2)));
		expect(outcomes(second)).toEqual(['sent']);
		// Until the call is given up, and the lock that it holds is broken.
		expect(seconds).toBeLessThan(110);
	},
);

test('a database that stays away: nothing is sent, and nobody is told to save the workflow', async () => {
	time.skipPauses();
	let isAway = true;
	anywhere(() => {
		if (isAway) throw new Error('terminating connection');
	});
	const run = await create(items(1, 2));
	expect(outcomes(run)).toEqual(['notSent', 'notSent']);
	expect(run.json[0]!.error).toMatchObject({ retryable: true });
	expect(wordsOf(run)).toContain('run it again later');
	expect(wordsOf(run)).not.toContain('Save the workflow');
	isAway = false;
	expect(outcomes(await create(items(1, 2)))).toEqual(['sent', 'sent']);
});

test.each([
	['count', 'terminating connection'],
	['clear', 'database is locked'],
] as const)('%s fails once as the lock is given back: nobody waits', async (failing, message) => {
	let calls = 0;
	store.rows.workflowRow = (call) => {
		// The first look at the lock is when it is taken.
		if (call !== failing || ++calls !== (failing === 'count' ? 3 : 1)) return;
		throw Object.assign(new Error(message), { code: 'SQLITE_BUSY' });
	};
	const [run, seconds] = await secondsUntil(create(items(1)));
	expect(outcomes(run)).toEqual(['sent']);
	expect(calls).toBeGreaterThan(1);
	expect(seconds).toBeLessThan(5);
});

test('outcomes are recorded a little later, while others are in progress; what fails then is tried again at the end', async () => {
	isHeld = (name) => name === 'row 2';
	let isFailing = true;
	let removals = 0;
	store.rows.between = (call) => {
		if (call !== 'remove') return;
		removals++;
		if (isFailing) throw new Error('disk full');
	};
	const run = create(items(1, 2));
	await until(() => held.length === 1);
	expect(removals).toBe(0);
	// All tries of a call.
	const tries = 1 + timing.retryDelays.length;
	await passSeconds(60, () => removals >= tries);
	expect(removals).toBeGreaterThanOrEqual(tries);
	expect(held).toHaveLength(1);
	isFailing = false;
	answerHeld();
	const [{ hints }] = await secondsUntil(run);
	expect(hints.join()).not.toContain('in doubt');
	const [again] = await secondsUntil(create(items(1, 2)));
	expect(outcomes(again)).toEqual(['alreadySent', 'alreadySent']);
});

test('what the store does not tell of a key is not taken for a new one', async () => {
	const record = store.rows.checkProcessedAndRecord.bind(store.rows);
	store.rows.checkProcessedAndRecord = async (marks, scope, ...more) => {
		const told = await record(marks, scope, ...more);
		if (scope === 'workflow') return told;
		return { ...told, new: told.new.filter((mark) => !String(mark).startsWith('open')) };
	};
	time.skipPauses();
	expect(outcomes(await create(items(1)))).toEqual(['notSent']);
	expect(arrived).toEqual([]);
});

test('an item whose answer cannot be read is done, and is not sent again', async () => {
	await service.close();
	service = await startFakeService((_, response, body) => {
		arrived.push((JSON.parse(body) as { name: string }).name);
		// A success by its status and its kind, of which a part is missing.
		response.setHeader('Content-Type', 'application/json');
		response.end('{"shiftScheduleID":');
	});
	const credentials = credentialsFor(service.url);
	expect(outcomes(await createWithKeys(credentials, items(1)))).toEqual(['done']);
	expect(outcomes(await createWithKeys(credentials, items(1)))).toEqual(['alreadySent']);
	expect(arrived).toEqual(['row 1']);
});

test('when the oldest keys are forgotten, what is under way takes no place from them', async () => {
	const rows = upTo(1000);
	const at = { sendOnceRemember: 1000 };
	await store.rememberLike(() => create(items(0)), rows);
	const forgetting = { ...at, sendOnceWhenFull: 'forget' };
	const more = await create(items(5000, 5001), forgetting);
	expect(outcomes(more)).toEqual(['sent', 'sent']);
	expect(more.hints.join()).toContain('about 1,000 keys of this node');
	expect(more.hints.join()).toContain('the oldest are forgotten');
	const again = await create(items(...rows), forgetting);
	expect(new Set(outcomes(again))).toEqual(new Set(['alreadySent']));
});

test.each([
	[['sent', 'open']],
	// The other one was forgotten.
	[['open']],
])('an item in doubt, by the marks %j, counts as one key', async (marks) => {
	const rows = upTo(400);
	await store.rememberLike(() => create(items(0)), rows, marks);
	Object.assign(timing, { deadAfter: 0 });
	time.skipPauses();
	// Two marks of 400 keys are 800.
	const { json, hints } = await create(items(...rows), { sendOnceRemember: 1000 });
	expect(new Set(outcomes({ json }))).toEqual(new Set(['unknown']));
	expect(hints.join()).not.toContain('remembers');
});

test('a run that has waited in vain for others says so', async () => {
	await service.close();
	service = await startFakeService((_, response) => response.destroy());
	const credentials = credentialsFor(service.url);
	Object.assign(timing, { deadAfter: 20_000 });
	// As a process leaves them that dies.
	const marks = ['sent', 'open', 'sending'];
	await store.rememberLike(() => createWithKeys(credentials, items(0)), [1], marks);
	const [second, waited] = await secondsUntil(createWithKeys(credentials, items(1)));
	expect(outcomes(second)).toEqual(['unknown']);
	expect(waited).toBeGreaterThanOrEqual(20);
	expect(waited).toBeLessThan(30);
	expect(second.hints.join()).toMatch(/waited 2\d seconds for items that an earlier run had begun/);
});

test('what a run has to do anyway counts as waiting for others', async () => {
	await interrupted(1);
	const second = create(items(1, 2, 3));
	await until(() => held.length === 2);
	time.pass(15_000);
	answer(held.pop()!);
	await comeToRest();
	time.pass(10_000);
	answerHeld();
	const [{ json }, seconds] = await secondsUntil(second);
	expect(outcomes({ json })).toEqual(['unknown', 'sent', 'sent']);
	// Here a second passes between two of the ten asks that there are at least.
	expect(seconds).toBeLessThan(12);
});
