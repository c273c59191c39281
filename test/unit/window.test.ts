import { inWindow } from '../../engine/send/lanes';

/** Tasks that end when told to, and a count of those under way. */
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
	const entries = Array.from({ length: count }, (_, index) => index);
	return { finish, started, task, entries, most: () => most };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

test('never more at once than the width, begun in order', async () => {
	const { finish, started, task, entries, most } = controlled(6);
	const all = inWindow(3, entries, never, task);
	await settle();
	expect(started).toEqual([0, 1, 2]);
	for (const entry of [2, 0, 1]) finish[entry]!();
	await settle();
	expect(started).toEqual([0, 1, 2, 3, 4, 5]);
	for (const entry of [5, 4, 3]) finish[entry]!();
	await all;
	expect(most()).toBe(3);
});

test('after stop nothing new starts, what is under way is awaited', async () => {
	const { finish, started, task, entries } = controlled(40);
	const stop = new AbortController();
	let ended = false;
	const all = inWindow(20, entries, stop.signal, task).finally(() => (ended = true));
	await settle();
	stop.abort();
	finish[17]!();
	await settle();
	expect([started.length, ended]).toEqual([20, false]);
	for (let entry = 0; entry < 20; entry++) finish[entry]!();
	await all;
	expect(started).toHaveLength(20);
});

test('nothing to do', async () => {
	const task = jest.fn();
	await inWindow(3, [], never, task);
	expect(task).not.toHaveBeenCalled();
});
