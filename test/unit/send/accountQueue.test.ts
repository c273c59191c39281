import { AccountQueue, type ReleaseSlot } from '../../../engine/send/accountQueue';
import { RunQueue } from '../../../engine/send/runQueue';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A run that asks for turns and notes when it gets them. */
class Run {
	readonly stop = new AbortController();
	readonly place: RunQueue;
	readonly ends: ReleaseSlot[] = [];
	refused = 0;

	constructor(
		line: AccountQueue,
		private readonly log: string[],
		private readonly name: string,
		width = 256,
	) {
		this.place = new RunQueue(line, 'GET /vendors', false, width, this.stop.signal);
	}

	async ask(count: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			void this.place.acquireSlot().then((end) => {
				if (!end) return this.refused++;
				this.log.push(this.name);
				this.ends.push(end);
			});
		}
		await settle();
	}

	async end(count: number): Promise<void> {
		for (const end of this.ends.splice(0, count)) end({});
		await settle();
	}
}

test('runs take turns, however much each of them has to send', async () => {
	const log: string[] = [];
	const line = new AccountQueue();
	const [big, small] = [new Run(line, log, 'big'), new Run(line, log, 'small')];
	await big.ask(100);
	await small.ask(5);
	expect(log).toEqual(Array.from({ length: 10 }, () => 'big'));
	await big.end(10);
	expect(log.slice(10).filter((name) => name === 'small')).toHaveLength(5);
});

test('none has more under way than its width, and the others take the room', async () => {
	const log: string[] = [];
	const line = new AccountQueue();
	const [narrow, wide] = [new Run(line, log, 'narrow', 1), new Run(line, log, 'wide')];
	await narrow.ask(5);
	await wide.ask(50);
	expect([narrow.ends.length, wide.ends.length]).toEqual([1, 9]);
	// The other stood in the line before it came back to it.
	await narrow.end(1);
	expect([narrow.ends.length, wide.ends.length]).toEqual([0, 10]);
	await wide.end(1);
	expect([narrow.ends.length, wide.ends.length]).toEqual([1, 9]);
});

test('a run that stops leaves the line, and what it has under way gives its room back', async () => {
	const log: string[] = [];
	const line = new AccountQueue();
	const [first, second] = [new Run(line, log, 'first'), new Run(line, log, 'second')];
	await first.ask(30);
	await second.ask(30);
	let isServed = false;
	void first.place.onEmpty().then(() => (isServed = true));
	await settle();
	expect(isServed).toBe(false);
	first.stop.abort();
	await settle();
	expect([first.refused, isServed]).toEqual([20, true]);
	await first.ask(1);
	expect(first.refused).toBe(21);
	await first.end(10);
	expect(second.ends).toHaveLength(10);
});

test('what a service asks to wait is obeyed, but not for ever', () => {
	const line = new AccountQueue();
	expect(line.pauseLeft).toBeLessThanOrEqual(0);
	line.pauseFor(60_000);
	line.pauseFor(1000);
	expect(line.pauseLeft).toBeGreaterThan(50_000);
	line.pauseFor(10 * 365 * 24 * 3_600_000);
	expect(line.pauseLeft).toBeLessThan(24 * 3_600_000);
});
