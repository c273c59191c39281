// When a request has another try, and after which wait.
import type { Evidence } from '../../../engine/answer/evidence';
import type { Operation } from '../../../engine/area';
import { backoffDelay, delayOfNextTry } from '../../../engine/send/retryPolicy';

const answered = (status: number) => ({
	operation: { kind: 'single' } as Operation,
	maybeSent: true,
	status,
});

test("not after 'Max Tries', and not at all where 'Max Wait' is 0", () => {
	const after = (tries: number, maxWait = 60_000) =>
		delayOfNextTry({ method: 'GET', ...answered(503) }, tries, { maxTries: 4, maxWait }, 0);
	expect([after(3), after(4), after(1, 0)]).toEqual([0, undefined, undefined]);
});

test('what may be wrong with the request alone holds it alone', () => {
	const after = (tries: number) =>
		delayOfNextTry({ method: 'GET', ...answered(500) }, tries, { maxTries: 4, maxWait: 1 }, 0);
	expect([1, 2].map(after)).toEqual([1, 2].map((tries) => backoffDelay(tries, 0)));
});

test('with another token at once, whatever these say, but never where no token helps', () => {
	const after = (verdict: Evidence['verdict']) =>
		delayOfNextTry(
			{ method: 'POST', ...answered(401), verdict },
			9,
			{ maxTries: 1, maxWait: 0 },
			0,
		);
	expect([after('renew'), after('giveUp'), after('refusedAlone')]).toEqual([
		0,
		undefined,
		undefined,
	]);
});

test('waits double with each failure, up to a limit; up to half as much is added by chance', () => {
	const shortest = (failures: number) => backoffDelay(failures, 0);
	expect([1, 2, 4].map(shortest)).toEqual([500, 1000, 4000]);
	expect(shortest(15)).toBe(shortest(14));
	for (const failures of [1, 3, 15])
		expect(backoffDelay(failures, 0.999999)).toBe(1.5 * shortest(failures));
});
