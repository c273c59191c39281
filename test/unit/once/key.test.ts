// What a key learns from the store when a run takes it over, and when its heartbeats count as silent.
import { Key } from '../../../engine/once/key';
import { timing } from '../../../engine/once/timing';
import type { Job } from '../../../engine/kinds/job';

afterEach(() => jest.restoreAllMocks());

const newKey = () =>
	new Key({ itemIndex: 0, values: { settings: { sendOnceKey: '1' } } } as Job, 'service');

describe('a takeover', () => {
	const { sent, open, sending, takenOver, heartbeats } = newKey();
	const [first, second] = heartbeats as [string, string];
	/** What a takeover by this run gives, after a poll that has found the first heartbeat. */
	const takeOver = (found: readonly string[], willSend = false) => {
		const key = newKey();
		const addedBut = (marks: readonly string[]) =>
			new Set(
				[sent, open, sending, takenOver, ...heartbeats].filter((mark) => !marks.includes(mark)),
			);
		key.recordClaim(addedBut([sent, open, first]), true);
		const over = key.recordTakeOver(addedBut(found), willSend);
		return { isOurs: key.isOurs, over: [...over].sort() };
	};

	test.each<[string, readonly string[], boolean]>([
		['of a silent run', [open, first], true],
		['of a run that has sent a heartbeat', [open, second], false],
		['of a run that has recorded the outcome', [first], false],
	])('%s', (_, found, isOurs) => {
		const all = [sent, open, takenOver, sending, ...heartbeats];
		const added = all.filter((mark) => !found.includes(mark));
		// What the dead run has left goes too: nobody sends the item any more.
		const over = isOurs ? [sending, ...heartbeats] : added;
		expect(takeOver(found)).toEqual({ isOurs, over: over.sort() });
	});

	test('to send the item leaves another heartbeat than the last', () => {
		const over = heartbeats.filter((mark) => mark !== second).sort();
		expect(takeOver([open, first], true)).toEqual({ isOurs: true, over });
	});
});

test('a claim of a key in doubt leaves no mark of its own', () => {
	const key = newKey();
	const { sent, sending } = key;
	expect(key.recordClaim(new Set([sent, sending]), false)).toEqual([sent, sending]);
	expect(key.earlier).toBe('inDoubt');
});

test.each<[string, Array<'sending' | 'heartbeat'>, boolean]>([
	['neither may any run still send the item', [], true],
	['another run may still send the item', ['sending'], false],
	['another run has sent a heartbeat', ['heartbeat'], false],
])('a poll that finds no such mark shows that a key is abandoned: %s', (_, found, isAbandoned) => {
	const key = newKey();
	const { sending, heartbeats, takenOver } = key;
	const marks = { sending, heartbeat: heartbeats[1]! };
	const there = found.map((name) => marks[name]);
	const added = [takenOver, sending, ...heartbeats].filter((mark) => !there.includes(mark));
	key.recordClaim(new Set(added), true);
	expect(key.judgePoll()).toBe(isAbandoned);
});

test('a run is dead after a long silence and several polls, unless its heartbeats change', () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const key = newKey();
	const { takenOver, heartbeats } = key;
	const [a, b] = heartbeats as [string, string];
	const poll = (...found: string[]) => {
		const added = [takenOver, ...heartbeats].filter((mark) => !found.includes(mark));
		key.recordClaim(new Set(added), true);
		return key.judgePoll();
	};
	const polls = (count: number) => Array.from({ length: count }, () => poll(a));
	expect(poll(a)).toBe(false);
	now += timing.deadAfter + 1;
	expect(polls(timing.pollsBeforeDeath)).not.toContain(true);
	expect(key.otherRunIsAlive).toBe(false);
	expect(poll(a, b)).toBe(false);
	expect(key.otherRunIsAlive).toBe(true);
	expect(poll(a)).toBe(false);
	expect(polls(2 * timing.pollsBeforeDeath)).not.toContain(true);
	now += timing.deadAfter + 1;
	// After that, the watch begins again.
	expect(polls(2)).toEqual([true, false]);
});
