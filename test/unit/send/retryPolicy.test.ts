// When a request has another try, and after which wait.
import type { TryEvidence } from '../../../engine/answer/evidence';
import type { Operation } from '../../../engine/area';
import { backoffDelay, hasAnotherTry } from '../../../engine/send/retryPolicy';

const answered = (status: number) => ({
	operation: { kind: 'single' } as Operation,
	maybeSent: true,
	status,
});

test("not after 'Max Tries', and not at all where 'Max Wait' is 0", () => {
	const after = (tries: number, maxWait = 60_000) =>
		hasAnotherTry({ method: 'GET', ...answered(503) }, tries, { maxTries: 4, maxWait });
	expect([after(3), after(4), after(1, 0)]).toEqual([true, false, false]);
});

test('after a refused token whatever these say, but never after a refusal that is final', () => {
	const after = (more: Partial<TryEvidence> = {}) =>
		hasAnotherTry({ method: 'POST', ...answered(401), ...more }, 9, { maxTries: 1, maxWait: 0 });
	expect([after(), after({ isFinal: true })]).toEqual([true, false]);
});

test('waits double with each failure, up to a limit; up to half as much is added by chance', () => {
	const shortest = (failures: number) => backoffDelay(failures, 0);
	expect([1, 2, 4].map(shortest)).toEqual([500, 1000, 4000]);
	expect(shortest(15)).toBe(shortest(14));
	for (const failures of [1, 3, 15])
		expect(backoffDelay(failures, 0.999999)).toBe(1.5 * shortest(failures));
});
