import { runInParallel } from '../../../engine/send/parallel';

/** Tasks that end when told to. */
function controlled(count: number) {
	const finish: Array<() => void> = [];
	const started: number[] = [];
	const task = async (entry: number) => {
		started.push(entry);
		await new Promise<void>((resolve) => (finish[entry] = resolve));
	};
	let taken = 0;
	const entries = (async function* () {
		for (; taken < count; taken++) yield await Promise.resolve(taken);
	})();
	return { finish, started, task, entries, taken: () => taken };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const always = () => Promise.resolve();
const never = new AbortController().signal;

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
