// The lock between processes: each StoreLock stands for a process of its own, on a store that behaves like n8n's.
import { timing } from '../../../engine/once/timing';
import { StoreLock } from '../../../engine/once/storeLock';
import { contextOf, executionIn, useStoreOfKeys } from '../../harness/keyRows.cts';

const never = new AbortController().signal;
const usualTimes = { ...timing };
const store = useStoreOfKeys();
afterEach(() => {
	Object.assign(timing, usualTimes);
	jest.restoreAllMocks();
});

const context = contextOf('w');
const aProcess = () => new StoreLock(executionIn(store, 'w'));
const rowIsTaken = 'while a Remove Duplicates node in this workflow has';

const nothing = async () => {};

/** A Remove Duplicates node with the scope Workflow. */
const removeDuplicates = (...values: string[]) =>
	store.rows.checkProcessedAndRecord(values, 'workflow', context, { mode: 'entries' });
const entries = () => store.rows.getProcessedDataCount('workflow', context);

test.each([[['a']], [['a', 'b']]])('Remove Duplicates keeps its row with %j', async (values) => {
	await removeDuplicates(...values);
	const work = jest.fn(nothing);
	await expect(aProcess().hold(work, never)).rejects.toThrow(rowIsTaken);
	expect(work).not.toHaveBeenCalled();
	expect((await removeDuplicates(...values, 'c')).new).toEqual(['c']);
	expect(await entries()).toBe(values.length + 1);
});

test('so is a row of such a node that keeps the latest value alone', async () => {
	const mode = 'latestIncrementalKey';
	await store.rows.checkProcessedAndRecord(['7'], 'workflow', context, { mode });
	await expect(aProcess().hold(nothing, never)).rejects.toThrow(rowIsTaken);
});

test('a Remove Duplicates node that begins while the lock is held keeps its values', async () => {
	await aProcess().hold(async () => void (await removeDuplicates('a', 'b')), never);
	expect((await removeDuplicates('a', 'b')).processed).toEqual(['a', 'b']);
	expect(await entries()).toBe(2);
	await expect(aProcess().hold(nothing, never)).rejects.toThrow(rowIsTaken);
});

test('a Remove Duplicates value is not mistaken for the lock of a dead process', async () => {
	Object.assign(timing, { holderIsDeadAfter: 20, pollsBeforeBreaking: 1 });
	let looks = 0;
	store.rows.workflowRow = async (call) => {
		if (call !== 'count' || ++looks !== 2) return;
		await store.rows.clearAllProcessedItems('workflow', context);
		await removeDuplicates('a');
	};
	await dies();
	await expect(aProcess().hold(nothing, never)).rejects.toThrow(rowIsTaken);
	expect((await removeDuplicates('a')).processed).toEqual(['a']);
	expect(await entries()).toBe(1);
});

/** A process that dies while it holds the lock. */
async function dies(): Promise<void> {
	await new Promise<void>((isHeld) => {
		// It never ends, and whoever waits for it is dead as well.
		const work = () => new Promise<void>(() => isHeld());
		void aProcess()
			.hold(work, never)
			.catch(() => {});
	});
}

test('a wait that is stopped ends, and the work does not run', async () => {
	await dies();
	const stop = new AbortController();
	const work = jest.fn(nothing);
	const waiting = aProcess().hold(work, stop.signal);
	await entries();
	stop.abort(new Error('cancelled'));
	await expect(waiting).rejects.toThrow('cancelled');
	expect(work).not.toHaveBeenCalled();
});

test('failing work releases the lock', async () => {
	const failing = aProcess().hold(() => Promise.reject(new Error('disk full')), never);
	await expect(failing).rejects.toThrow('disk full');
	await aProcess().hold(nothing, never);
});

/** Stops the clock, which only the test then advances. */
function useClock() {
	let now = performance.now();
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	return (milliseconds: number) => void (now += milliseconds);
}

test('no call begins after the time for calls, and the earlier ones are kept', async () => {
	const pass = useClock();
	await aProcess().hold(async (lock) => {
		lock.assertInTime();
		pass(15_001);
		expect(() => lock.assertInTime()).toThrow('took too long');
	}, never);
	expect(await entries()).toBe(0);
});

test('a lock that others may have broken is not released', async () => {
	const pass = useClock();
	await aProcess().hold(async () => pass(timing.holderIsDeadAfter), never);
	expect(await entries()).toBe(1);
});

test('a lock that another process broke is reported as lost', async () => {
	const breaking = () => store.rows.clearAllProcessedItems('workflow', context);
	await expect(aProcess().hold(breaking, never)).rejects.toThrow('has broken the lock');
});
