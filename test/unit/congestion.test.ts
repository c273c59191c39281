import { CongestionWindow } from '../../engine/send/window';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Requests through a window; each ends when it is told to. */
function through(window: CongestionWindow) {
	const open: Array<(isSetback: boolean | undefined) => void> = [];
	const began: number[] = [];
	let count = 0;
	const ask = async (requests: number) => {
		for (let n = 0; n < requests; n++) {
			const own = count++;
			void window.pass(
				() => {
					began.push(own);
					return new Promise<boolean | undefined>((end) => open.push(end));
				},
				(isSetback) => isSetback,
			);
		}
		await settle();
	};
	return {
		ask,
		began,
		underWay: () => open.length,
		/** Ends all that are under way; gives how many are then. */
		async answer(isSetback: boolean | undefined) {
			for (const end of open.splice(0)) end(isSetback);
			await settle();
			return open.length;
		},
	};
}

test('opens while answers are good, never beyond the maximum, first come, first served', async () => {
	const requests = through(new CongestionWindow(20));
	await requests.ask(200);
	const sizes = [requests.underWay()];
	for (let round = 0; round < 5; round++) sizes.push(await requests.answer(false));
	// It doubles.
	expect(sizes[2]! / sizes[1]!).toBe(2);
	expect(sizes.slice(-2)).toEqual([20, 20]);
	expect(requests.began).toEqual([...requests.began].sort((one, other) => one - other));
});

test('halves at a setback, once for all that were under way, and opens again by one a round', async () => {
	const requests = through(new CongestionWindow(32));
	await requests.ask(1000);
	for (let round = 0; round < 6; round++) await requests.answer(false);
	expect(requests.underWay()).toBe(32);
	expect(await requests.answer(true)).toBe(16);
	expect(await requests.answer(true)).toBe(8);
	const [first, second, third] = [
		await requests.answer(false),
		await requests.answer(false),
		await requests.answer(false),
	];
	expect([first, second, third]).toEqual([8, 9, 10]);
});

test('one at a time stays possible, whatever happens', async () => {
	const requests = through(new CongestionWindow(2));
	await requests.ask(20);
	for (let round = 0; round < 5; round++) expect(await requests.answer(true)).toBe(1);
});

test('a maximum of one is strictly one after another', async () => {
	const requests = through(new CongestionWindow(1));
	await requests.ask(5);
	expect(requests.underWay()).toBe(1);
	for (let round = 0; round < 4; round++) expect(await requests.answer(false)).toBe(1);
	expect(requests.began).toEqual([0, 1, 2, 3, 4]);
});

test('what shows nothing changes nothing, and what throws keeps no place', async () => {
	const window = new CongestionWindow(8);
	const requests = through(window);
	const broken = await Promise.allSettled(
		Array.from({ length: 20 }, () =>
			window.pass(
				() => Promise.reject(new Error('broken')),
				() => false,
			),
		),
	);
	expect(broken.every(({ status }) => status === 'rejected')).toBe(true);
	await requests.ask(50);
	const size = requests.underWay();
	expect(size).toBeGreaterThan(1);
	expect(await requests.answer(undefined)).toBe(size);
});
