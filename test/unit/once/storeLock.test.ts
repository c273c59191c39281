// The lock between processes: each StoreLock here stands for a process of its own, on a store that behaves as n8n's.
import { setTimeout as sleep } from 'node:timers/promises';

import { waitingTimes } from '../../../engine/once/pace';
import { StoreLock } from '../../../engine/once/storeLock';
import { contextOf, helpersOf, useStoreOfKeys } from '../../harness/keyRows';

const never = new AbortController().signal;
const usualTimes = { ...waitingTimes };
const store = useStoreOfKeys();
afterEach(() => {
	Object.assign(waitingTimes, usualTimes);
	jest.restoreAllMocks();
});

const context = contextOf('w');
const aProcess = () => new StoreLock(helpersOf(store, 'w'), () => new Error('the row is taken'));

const nothing = async () => {};

/** What a Remove Duplicates node with the scope Workflow does. */
const removeDuplicates = (...values: string[]) =>
	store.rows.checkProcessedAndRecord(values, 'workflow', context, { mode: 'entries' });
const entries = () => store.rows.getProcessedDataCount('workflow', context);

const turns = async (count: number) => {
	for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const delayed = () => turns(Math.floor(Math.random() * 4));

let atOnce = 0;
/** The most processes that did their work at the same moment. */
let most = 0;
beforeEach(() => void (atOnce = most = 0));
const counted =
	(work: () => Promise<unknown> = delayed) =>
	async () => {
		most = Math.max(most, ++atOnce);
		await work();
		atOnce--;
	};

test('of many processes one at a time does its work, and the lock is free afterwards', async () => {
	store.rows.workflowRow = delayed;
	await Promise.all(
		Array.from({ length: 8 }, async () => {
			const lock = aProcess();
			for (let round = 0; round < 5; round++) await lock.hold(counted(), never);
		}),
	);
	expect(most).toBe(1);
	expect(await entries()).toBe(0);
});

test.each([[['a']], [['a', 'b']]])(
	'a row with the values %j of a Remove Duplicates node is left as it is, and nothing is done',
	async (values) => {
		await removeDuplicates(...values);
		const work = jest.fn(nothing);
		await expect(aProcess().hold(work, never)).rejects.toThrow('the row is taken');
		expect(work).not.toHaveBeenCalled();
		expect((await removeDuplicates(...values, 'c')).new).toEqual(['c']);
		expect(await entries()).toBe(values.length + 1);
	},
);

test('so is a row of such a node that keeps the latest value alone', async () => {
	await store.rows.checkProcessedAndRecord(['7'], 'workflow', context, {
		mode: 'latestIncrementalKey',
	});
	await expect(aProcess().hold(nothing, never)).rejects.toThrow('the row is taken');
});

test('a Remove Duplicates node that begins while the lock is held keeps its values', async () => {
	await aProcess().hold(async () => void (await removeDuplicates('a', 'b')), never);
	expect((await removeDuplicates('a', 'b')).processed).toEqual(['a', 'b']);
	expect(await entries()).toBe(2);
	await expect(aProcess().hold(nothing, never)).rejects.toThrow('the row is taken');
});

test('a value of a Remove Duplicates node is not taken for the lock of a dead process', async () => {
	Object.assign(waitingTimes, { holderIsDeadAfter: 20, looksBeforeBreaking: 1 });
	let looks = 0;
	store.rows.workflowRow = async (call) => {
		if (call !== 'count' || ++looks !== 2) return;
		await store.rows.clearAllProcessedItems('workflow', context);
		await removeDuplicates('a');
	};
	await dies();
	await expect(aProcess().hold(nothing, never)).rejects.toThrow('the row is taken');
	expect((await removeDuplicates('a')).processed).toEqual(['a']);
	expect(await entries()).toBe(1);
});

/** A process that dies while it holds the lock. */
async function dies(): Promise<void> {
	await new Promise<void>((isHeld) => {
		// It never comes to its end, and who waits for it is dead as well.
		const work = () => new Promise<void>(() => isHeld());
		void aProcess()
			.hold(work, never)
			.catch(() => {});
	});
}

test('the lock of a process that died is broken by one, however many wait', async () => {
	// Long beside the time between two looks, as it is outside of tests: living holders must not seem dead.
	Object.assign(waitingTimes, { holderIsDeadAfter: 400, looksBeforeBreaking: 300 });
	await dies();
	const clear = jest.spyOn(store.rows, 'clearAllProcessedItems');
	await Promise.all(Array.from({ length: 6 }, () => aProcess().hold(counted(), never)));
	expect(most).toBe(1);
	// Each gives the lock back, and one has broken it.
	expect(clear).toHaveBeenCalledTimes(6 + 1);
});

test('a living holder is waited for, however often its process takes the lock again', async () => {
	Object.assign(waitingTimes, { holderIsDeadAfter: 200, looksBeforeBreaking: 1 });
	const other = aProcess();
	let isOver = false;
	const busy = (async () => {
		while (!isOver) {
			await other.hold(() => turns(3), never);
			await turns(1);
		}
	})();
	await aProcess().hold(nothing, never);
	isOver = true;
	await busy;
});

test('the lock of a living holder is kept when all processes of a machine were suspended', async () => {
	let suspended = 0;
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + suspended);
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const isSuspended = async () => {
		await sleep(30);
		suspended = 3_600_000;
		await sleep(100);
	};
	const holding = aProcess().hold(counted(isSuspended), never);
	const waiting = Array.from({ length: 5 }, () =>
		aProcess().hold(
			counted(() => turns(5)),
			never,
		),
	);
	await Promise.all([holding, ...waiting]);
	expect(most).toBe(1);
});

test('waiting ends when it is stopped, and nothing is done', async () => {
	await dies();
	const stop = new AbortController();
	const work = jest.fn(nothing);
	const waiting = aProcess().hold(work, stop.signal);
	await turns(5);
	stop.abort(new Error('cancelled'));
	await expect(waiting).rejects.toThrow('cancelled');
	expect(work).not.toHaveBeenCalled();
});

test('work that fails gives the lock back', async () => {
	const failing = aProcess().hold(() => Promise.reject(new Error('disk full')), never);
	await expect(failing).rejects.toThrow('disk full');
	await aProcess().hold(nothing, never);
});

test('a lock that another process has broken is known to be lost', async () => {
	const breaking = () => store.rows.clearAllProcessedItems('workflow', context);
	await expect(aProcess().hold(breaking, never)).rejects.toThrow('has broken the lock');
});
