// What a run learns of a key from the marks in the store, and when the run that has claimed it counts as dead.
import type { Settings } from '../../../engine/form/settings';
import type { Job } from '../../../engine/kinds/job';
import { Key } from '../../../engine/once/key';
import { stopwatch, timing } from '../../../engine/once/timing';

afterEach(() => jest.restoreAllMocks());

type Answer = Settings['sendOnceInDoubt'];
type Mark = 'sent' | 'open' | 'sending' | 'takenOver';

const newKey = (answer?: Answer) =>
	new Key({ itemIndex: 0, values: { settings: { sendOnceKey: '1' } } } as Job, 'service', answer);

const names: readonly Mark[] = ['sent', 'open', 'sending', 'takenOver'];

/** Claims a key in a store that has marks, and leaves in it what the store has then. */
function claim(key: Key, there: Set<string>): void {
	const marks = key.marksToClaim;
	const added = new Set(marks.filter((mark) => !there.has(mark)));
	for (const mark of marks) there.add(mark);
	for (const mark of key.recordClaim(marks, added, () => 0)) there.delete(mark);
}

describe('a claim', () => {
	test.each<[string, Mark[], Answer, Partial<Key>, Mark[]]>([
		[
			'of a new key',
			[],
			'leave',
			{ earlier: 'notProcessed', isOurs: true },
			['sent', 'open', 'sending'],
		],
		[
			'of a key whose item was processed',
			['sent'],
			'areNotThere',
			{ earlier: 'processed', isOurs: true },
			['sent', 'open', 'sending'],
		],
		[
			'of a key in doubt that nobody has looked up',
			['sent', 'open'],
			'leave',
			{ earlier: 'inDoubt', isOurs: false, isAwaited: false },
			['sent', 'open'],
		],
		[
			'of a key in doubt of which the store has forgotten the older mark',
			['open'],
			'leave',
			{ earlier: 'inDoubt', isOurs: false, isAwaited: false },
			['open'],
		],
		[
			'of a key in doubt that was looked up',
			['sent', 'open', 'takenOver'],
			'areNotThere',
			{ earlier: 'inDoubt', isOurs: true },
			['sent', 'open', 'sending', 'takenOver'],
		],
		[
			'of a key that was looked up, but that another run may be sending',
			['sent', 'open', 'sending'],
			'areNotThere',
			{ earlier: 'inDoubt', isOurs: false, isAwaited: true },
			['sent', 'open', 'sending'],
		],
	])('%s', (_, before, answer, state, after) => {
		const key = newKey(answer);
		const there = new Set(before.map((name) => key[name]));
		claim(key, there);
		expect(key).toMatchObject(state);
		expect(names.filter((name) => there.has(key[name])).sort()).toEqual(after.sort());
	});
});

test('a key is not held any more after its machine has slept, during which one of its clocks stands still', () => {
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

	/** Another run has claimed the key; this one, whose item was looked up, waits for it. */
	function waitFor() {
		const key = newKey('areNotThere');
		const there = new Set([key.sent, key.open, key.sending]);
		claim(key, there);
		/** Polls until the other run counts as dead, or for long. @returns the milliseconds */
		const pollUntilDead = (interval: number) => {
			const began = now;
			while (key.isAwaited && now - began < 40 * timing.deadAfter) {
				now += interval;
				claim(key, there);
			}
			return now - began;
		};
		return { key, there, pollUntilDead };
	}

	test('takes the key over after a long silence, and leaves it in doubt', () => {
		const { key, there, pollUntilDead } = waitFor();
		there.add(key.heartbeats[1]!);
		const time = pollUntilDead(timing.pollInterval);
		expect(Math.abs(time - timing.deadAfter)).toBeLessThan(5 * timing.pollInterval);
		expect(key).toMatchObject({ earlier: 'inDoubt', isOurs: false });
		// Others that wait see another heartbeat.
		expect([...there]).toEqual([key.sent, key.open, key.heartbeats[2], key.takenOver]);
	});

	test('goes on waiting while the heartbeats change', () => {
		const { key, there, pollUntilDead } = waitFor();
		for (const heartbeat of [...key.heartbeats, ...key.heartbeats]) {
			there.add(heartbeat);
			for (let time = 0; time < timing.deadAfter - 1000; time += timing.pollInterval) {
				now += timing.pollInterval;
				claim(key, there);
			}
			expect(key.isAwaited).toBe(true);
			there.delete(heartbeat);
		}
		expect([...there]).toEqual([key.sent, key.open, key.sending]);
		expect(pollUntilDead(timing.pollInterval)).toBeGreaterThan(timing.deadAfter - 1000);
	});

	test('does not count the time for which its process stood still', () => {
		const { key, there } = waitFor();
		for (let poll = 0; poll < 9; poll++) {
			now += 600_000;
			claim(key, there);
			expect(key.isAwaited).toBe(true);
		}
	});

	test('leaves the key in doubt once the other run does, since what was looked up is out of date', () => {
		const { key, there } = waitFor();
		there.delete(key.sending);
		claim(key, there);
		expect(key).toMatchObject({ earlier: 'inDoubt', isOurs: false, isAwaited: false });
		expect([...there]).toEqual([key.sent, key.open]);
	});

	test.each<[string, Mark[], Key['earlier']]>([
		['has processed it', ['open', 'sending'], 'processed'],
		['could not have it processed', ['sent', 'open', 'sending'], 'notProcessed'],
	])('has the key once the other run %s', (_, gone, earlier) => {
		const { key, there } = waitFor();
		for (const name of gone) there.delete(key[name]);
		claim(key, there);
		expect(key).toMatchObject({ earlier, isOurs: true, isAwaited: false });
	});
});
