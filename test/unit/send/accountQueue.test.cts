import { AccountQueue, type ReleaseSlot, type SendingRun } from '../../../engine/send/accountQueue';
import type { Shown } from '../../../engine/send/congestionWindow';
import { comeToRest as settle, nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { operationWith } from '../operation.cts';

const time = useVirtualTime();
let queue: AccountQueue;
/** The names of the runs that got slots, in order. */
let log: string[];
beforeEach(() => {
	queue = new AccountQueue();
	log = [];
});

/** A run that asks for slots, and notes each that it gets in the log. */
class Run {
	readonly stop = new AbortController();
	readonly sending: SendingRun;
	readonly slots: ReleaseSlot[] = [];
	refused = 0;

	constructor(
		private readonly name: string,
		maxParallel = 256,
	) {
		const operation = operationWith({ route: 'GET /vendors' });
		this.sending = { operation, maxParallel, stop: this.stop.signal, inFlight: 0 };
	}

	async ask(count: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			void queue.acquireSlot(this.sending).then((release) => {
				if (!release) return this.refused++;
				log.push(this.name);
				this.slots.push(release);
			});
		}
		await settle();
	}

	async release(count: number, observation: Shown = {}): Promise<void> {
		for (const release of this.slots.splice(0, count)) release(observation);
		await settle();
	}
}

test('eight begin in one turn of the event loop at most', async () => {
	const run = new Run('one');
	void run.ask(30);
	expect(run.sending.inFlight).toBe(8);
	await nextTurn();
	expect(run.sending.inFlight).toBe(10);
	await settle();
	// Many responses in one turn begin no more than that either.
	void run.release(10);
	expect(run.sending.inFlight).toBe(8);
	await settle();
	expect(run.sending.inFlight).toBe(10);
});

test('each run gets as many slots as the other, however much it has to send', async () => {
	const [big, small] = [new Run('big'), new Run('small')];
	await big.ask(100);
	await small.ask(25);
	// The window was full, and the other run has one request at once.
	expect(log).toEqual([...Array<string>(10).fill('big'), 'small']);
	for (let round = 0; round < 10; round++) {
		await big.release(1);
		await small.release(1);
	}
	expect(Math.abs(big.slots.length - small.slots.length)).toBeLessThanOrEqual(1);
});

test('none has more requests in flight than it may have, and the others get the slots', async () => {
	const [narrow, wide] = [new Run('narrow', 1), new Run('wide')];
	await narrow.ask(5);
	await wide.ask(50);
	expect([narrow.slots.length, wide.slots.length]).toEqual([1, 9]);
	await narrow.release(1);
	expect([narrow.slots.length, wide.slots.length]).toEqual([1, 9]);
	await narrow.release(1);
	await wide.release(1);
	expect([narrow.slots.length, wide.slots.length]).toEqual([1, 9]);
	narrow.stop.abort();
	await narrow.release(1);
	expect([narrow.slots.length, wide.slots.length]).toEqual([0, 10]);
});

test('a run that stops leaves the queue, and its requests in flight give their slots back', async () => {
	const [first, second] = [new Run('first'), new Run('second')];
	await first.ask(30);
	await second.ask(30);
	first.stop.abort();
	await settle();
	expect(first.refused).toBe(20);
	await first.ask(1);
	expect(first.refused).toBe(21);
	await first.release(10);
	expect(second.slots).toHaveLength(10);
});

test('a run with nothing in progress gets a slot, but not each of hundreds at once', async () => {
	const first = new Run('first');
	await first.ask(100);
	const others = Array.from({ length: 300 }, () => new Run('other'));
	for (const other of others) void other.ask(1);
	await settle();
	expect(log.filter((name) => name === 'other').length).toBeGreaterThan(5);
	expect(log.length).toBeLessThanOrEqual(20);
});

describe('as time passes', () => {
	test('what was learned is remembered for a while, and forgotten after a minute without requests', async () => {
		const run = new Run('');
		const seen = { serviceState: 'works', delay: 100 } as const;
		const atOnce = async () => {
			await run.ask(20);
			const { length } = run.slots;
			while (run.slots.length > 0) await run.release(20, seen);
			return length;
		};
		expect(await atOnce()).toBe(10);
		time.pass(59_000);
		expect(await atOnce()).toBeGreaterThan(15);
		time.pass(61_000);
		expect(await atOnce()).toBe(10);
	});
});
