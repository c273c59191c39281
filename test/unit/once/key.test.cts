// How a run reads a key's state from the marks in the store, and when the run that claimed it counts as dead.
import { Key } from '../../../engine/once/key';
import { stopwatch, timing } from '../../../engine/once/timing';
import { jobOf, operationWith } from '../operation.cts';

afterEach(() => jest.restoreAllMocks());

type Mark = 'sent' | 'started' | 'fingerprintMark' | 'takenOver';

const job = jobOf(operationWith({}), { options: { sendOnceKey: '1' } });
const newKey = () => new Key(job, 'service', 'v');

const names: readonly Mark[] = ['sent', 'started', 'fingerprintMark', 'takenOver'];
const marksOf = (key: Key, listed: string) => listed.split(' ').map((name) => key[name as Mark]!);
const namesOf = (key: Key, there: Set<string>) =>
	names.filter((name) => there.has(key[name]!)).join(' ');

/** Claims a key in a store with these marks, and updates them. */
function claim(key: Key, there: Set<string>): void {
	const marks = key.marksToClaim;
	const added = new Set(marks.filter((mark) => !there.has(mark)));
	for (const mark of marks) there.add(mark);
	const stay = key.recordClaim(marks, added, () => 0);
	for (const mark of marks) if (!stay.includes(mark)) there.delete(mark);
}

test('a key is no longer held after its machine slept, during which one of its clocks stops', () => {
	const key = newKey();
	key.recordClaim(key.marksToClaim, new Set(key.marksToClaim), stopwatch());
	expect(key.isHeld).toBe(true);
	const date = Date.now() + timing.leaseTime;
	jest.spyOn(Date, 'now').mockReturnValue(date);
	expect(key.isHeld).toBe(false);
});

describe('a run that waits for another', () => {
	let now = 0;
	beforeEach(() => {
		now = 1;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
	});

	/** Another run has claimed the key; this run waits. */
	function waitFor() {
		const key = newKey();
		const there = new Set(marksOf(key, 'sent started fingerprintMark'));
		claim(key, there);
		/** Polls for this long. */
		const poll = (milliseconds: number) => {
			const end = now + milliseconds;
			while (key.stateBefore === 'awaited' && now < end) {
				now += timing.pollInterval;
				claim(key, there);
			}
			return key.stateBefore === 'awaited';
		};
		return { key, there, poll };
	}

	test('takes the key over after a long silence, and leaves it in doubt', () => {
		const { key, there, poll } = waitFor();
		there.add(key.heartbeats[1]!);
		expect(poll(timing.deadAfter - timing.pollInterval)).toBe(true);
		expect(poll(5 * timing.pollInterval)).toBe(false);
		expect(key).toMatchObject({ stateBefore: 'inDoubt', isOurs: false });
		// Other waiting runs see a new heartbeat.
		const { started, fingerprintMark, heartbeats, takenOver } = key;
		expect([...there]).toEqual([started, fingerprintMark, heartbeats[2], takenOver]);
	});

	test('goes on waiting while the heartbeats change', () => {
		const { key, there, poll } = waitFor();
		for (const heartbeat of [...key.heartbeats, ...key.heartbeats]) {
			there.add(heartbeat);
			expect(poll(timing.deadAfter - 1000)).toBe(true);
			there.delete(heartbeat);
		}
		expect(namesOf(key, there)).toBe('sent started fingerprintMark');
		expect(poll(timing.deadAfter - 1000)).toBe(true);
	});

	test('has an answer that is out of date: the other run has sent the item meanwhile', () => {
		const { key, there, poll } = waitFor();
		there.delete(key.started);
		poll(timing.pollInterval);
		expect(key).toMatchObject({ stateBefore: 'processed', wasAwaited: true });
	});

	test('does not count the time while its process stood still', () => {
		const { key, there } = waitFor();
		for (let poll = 0; poll < 9; poll++) {
			now += 600_000;
			claim(key, there);
			expect(key.stateBefore).toBe('awaited');
		}
	});
});
