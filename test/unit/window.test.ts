import { inWindow } from '../../engine/window';

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
		if (entry % 10 === 7) throw new Error(`entry ${entry}`);
		return entry * 2;
	};
	const entries = Array.from({ length: count }, (_, index) => index);
	return { finish, started, task, entries, most: () => most };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('never more at once than the width, results in order', async () => {
	const { finish, started, task, entries, most } = controlled(6);
	const results = inWindow(3, entries, task);
	await settle();
	expect(started).toEqual([0, 1, 2]);
	for (const entry of [2, 0, 1]) finish[entry]!();
	await settle();
	for (const entry of [5, 4, 3]) finish[entry]!();
	expect(await results).toEqual([0, 2, 4, 6, 8, 10]);
	expect(most()).toBe(3);
});

test('after a failure nothing new starts, what is under way is awaited, the first failure counts', async () => {
	const { finish, started, task, entries } = controlled(40);
	let ended = false;
	const results = inWindow(20, entries, task).finally(() => (ended = true));
	const failure = results.catch((error: Error) => error.message);
	await settle();
	finish[17]!();
	await settle();
	expect(started).toHaveLength(20);
	expect(ended).toBe(false);
	for (let entry = 0; entry < 20; entry++) finish[entry]!();
	expect(await failure).toBe('entry 7');
	expect(started).toHaveLength(20);
});

test('nothing to do', async () => {
	expect(await inWindow(3, [], async () => 1)).toEqual([]);
});
