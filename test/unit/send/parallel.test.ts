import { runInParallel } from '../../../engine/send/parallel';

/** Tasks that end when told to, and a count of those that run. */
function controlled(count: number) {
	const finish: Array<() => void> = [];
	const started: number[] = [];
	let underWay = 0;
	let most = 0;
	const task = async (entry: number) => {
		started.push(entry);
		most = Math.max(most, ++underWay);
		await new Promise<void>((resolve) => (finish[entry] = resolve));
		underWay--;
	};
	let taken = 0;
	const entries = (async function* () {
		for (; taken < count; taken++) yield await Promise.resolve(taken);
	})();
	return { finish, started, task, entries, most: () => most, taken: () => taken };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const always = () => Promise.resolve();
const never = new AbortController().signal;

test('never more at once than allowed, begun in order', async () => {
	const { finish, started, task, entries, most } = controlled(6);
	const all = runInParallel(3, entries, never, task, always);
	await settle();
	expect(started).toEqual([0, 1, 2]);
	for (const entry of [2, 0, 1]) finish[entry]!();
	await settle();
	expect(started).toEqual([0, 1, 2, 3, 4, 5]);
	for (const entry of [5, 4, 3]) finish[entry]!();
	await all;
	expect(most()).toBe(3);
});

test('after stop nothing new starts, and what runs is awaited', async () => {
	const { finish, started, task, entries } = controlled(40);
	const stop = new AbortController();
	let ended = false;
	const all = runInParallel(20, entries, stop.signal, task, always).finally(() => (ended = true));
	await settle();
	stop.abort();
	finish[17]!();
	await settle();
	expect([started.length, ended]).toEqual([20, false]);
	for (let entry = 0; entry < 20; entry++) finish[entry]!();
	await all;
	expect(started).toHaveLength(20);
});

test('entries are taken when there is room for them, and not before', async () => {
	const { started, task, entries, taken } = controlled(6);
	let room!: () => void;
	const ready = () => new Promise<void>((resolve) => (room = resolve));
	void runInParallel(6, entries, never, task, ready);
	for (let count = 1; count < 4; count++) {
		await settle();
		expect([started.length, taken()]).toEqual([count, count - 1]);
		room();
	}
});

test('what runs is awaited, even if the entries end with an error', async () => {
	let finish!: () => void;
	let ended = false;
	const all = runInParallel(
		2,
		(async function* () {
			yield await Promise.resolve(1);
			throw new Error('no more');
		})(),
		never,
		() => new Promise<void>((resolve) => (finish = resolve)),
		always,
	).finally(() => (ended = true));
	all.catch(() => {});
	await settle();
	expect(ended).toBe(false);
	finish();
	await expect(all).rejects.toThrow('no more');
});

test('nothing to do', async () => {
	const { entries, task, started } = controlled(0);
	await runInParallel(3, entries, never, task, always);
	expect(started).toEqual([]);
});
