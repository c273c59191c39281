// The calls of n8n's store, on one that behaves like n8n's.

import { retryDelays } from '../../../engine/n8nDatabase';
import { Key } from '../../../engine/once/key';
import { MarkStore } from '../../../engine/once/markStore';
import { timing } from '../../../engine/once/timing';
import type { WritingCall } from '../../../n8n-in-process/deduplication.mts';
import { contextOf, executionIn, useStoreOfKeys } from '../../harness/keyRows.cts';
import { jobOf, operationWith } from '../operation.cts';

const never = new AbortController().signal;
retryDelays.splice(0, Infinity, 1, 1);
const usualTimes = { ...timing };
const store = useStoreOfKeys();
/** Calls for the node's row, in order. */
let calls: string[];
beforeEach(() => {
	calls = [];
	store.rows.between = (call) => void calls.push(call);
});
afterEach(() => void Object.assign(timing, usualTimes));

const newMarks = (workflow = 'w') => new MarkStore(executionIn(store, workflow), never);
const newKey = () => new Key(jobOf(operationWith({}), { options: { sendOnceKey: '1' } }), 's');

/** A key of this run, to be released. */
const released = (...toRemove: string[]) =>
	Object.assign(newKey(), { toRemove, isOurs: true, leaseAge: () => 0 });

/** The marks that are new to the store. */
const added = async (to: MarkStore, ...marks: string[]) => {
	const found = await to.record(marks);
	return marks.filter((mark) => found.has(mark));
};

test('reports which marks are new, and removes others under the same lock', async () => {
	const marks = newMarks();
	let locks = 0;
	store.rows.workflowRow = (call) => void (call === 'clear' && locks++);
	expect(await added(marks, 'a', 'b')).toEqual(['a', 'b']);
	marks.release(released('a'));
	expect(await added(marks, 'b', 'c')).toEqual(['c']);
	expect(locks).toBe(2);
	expect(calls).toEqual(['record', 'remove', 'record']);
	expect(await marks.close()).toBe(true);
	expect(await added(newMarks(), 'a', 'b', 'c')).toEqual(['a']);
});

test('records again that an item was sent: another run may have taken its key over', async () => {
	const key = released('started');
	await newMarks().record([key.sent, 'z'], () => [key.sent]);
	const marks = newMarks();
	marks.release(key);
	expect(await marks.close()).toBe(true);
	expect(await added(newMarks(), key.sent)).toEqual([]);
});

describe('a call that fails', () => {
	/** The first call of a kind fails, before or after it has written; then another run records the mark a. */
	function failOnce(kind: WritingCall, isWritten: boolean) {
		let hasFailed = false;
		const fail = (call: WritingCall) => {
			if (hasFailed || call !== kind) return;
			hasFailed = true;
			others = newMarks().record(['a']);
			throw new Error('connection lost');
		};
		if (isWritten) store.rows.written = fail;
		else store.rows.between = fail;
	}
	let others: Promise<ReadonlySet<string>>;

	test.each<[string, WritingCall, boolean, string[], boolean]>([
		['before it has removed marks: it removes them again', 'remove', false, ['c'], true],
		['after it has removed marks: it removes them again', 'remove', true, ['c'], true],
		['after marks were removed: it does not remove them again', 'record', false, ['c'], true],
	])('%s', async (_, kind, isWritten, expected, isLeft) => {
		const marks = newMarks();
		await marks.record(['a', 'b']);
		failOnce(kind, isWritten);
		marks.release(released('a'));
		expect(await added(marks, 'b', 'c')).toEqual(expected);
		expect((await others).has('a')).toBe(isLeft);
		expect(await added(marks, 'a')).toEqual(isLeft ? [] : ['a']);
	});

	test.each<[string, boolean, string[], boolean]>([
		['no later call removes the marks of an item that was not processed', true, [], false],
		['other marks are', false, ['a'], true],
	])('for good after it has removed marks: %s', async (_, isUnsent, left, isComplete) => {
		const marks = newMarks();
		const key = released('a');
		if (isUnsent) key.toRemove = ['a', key.sent];
		await marks.record(['a', 'b']);
		store.rows.written = () => {
			throw new Error('connection lost');
		};
		marks.release(key);
		await expect(marks.record(['c'])).rejects.toThrow('connection lost');
		store.rows.written = () => {};
		expect(await added(newMarks(), 'a', 'b')).toEqual(['a']);
		expect(await marks.close()).toBe(isComplete);
		expect(await added(newMarks(), 'a', 'b')).toEqual(left);
	});
});

test('the marks of a key that another run took over after the lease stay', async () => {
	const marks = newMarks();
	const key = newKey();
	await marks.claim([key], new Map());
	await newMarks().record([key.takenOver]);
	key.leaseAge = () => timing.leaseTime;
	key.toRemove = [key.sent, key.started];
	marks.release(key);
	expect(await added(marks, key.sent, key.started, key.takenOver)).toEqual([]);
	expect(key.isOurs).toBe(false);
});

test('a heartbeat that another run sends after a poll failed to remove its own stays', async () => {
	const [sender, poller] = [newMarks(), newMarks()];
	const [sent, polled] = [newKey(), newKey()];
	await sender.claim([sent], new Map());
	await poller.claim([polled], new Map());
	await sender.sendHeartbeats([sent]);
	store.rows.between = (call) => {
		if (call === 'remove') throw new Error('connection lost');
	};
	await poller.claim([polled], new Map());
	store.rows.between = () => {};
	await sender.sendHeartbeats([sent]);
	await poller.claim([polled], new Map());
	expect(await added(newMarks(), sent.heartbeat!)).toEqual([]);
});

test('marks recorded while another process broke the lock may be those of another run', async () => {
	let isBroken = false;
	store.rows.written = () => {
		if (!isBroken) void store.rows.clearAllProcessedItems('workflow', contextOf('w'));
		isBroken = true;
	};
	expect(await added(newMarks(), 'a', 'b')).toEqual([]);
	expect(calls).toEqual(['record', 'record']);
});

test('a workflow that was never saved has no store', async () => {
	await expect(newMarks('').count()).rejects.toThrow('never saved');
});
