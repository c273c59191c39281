// When a request is retried, and after which wait.
import type { Evidence } from '../../../engine/response/evidence';
import { backoffDelay, delayOfNextTry, serviceStateOf } from '../../../engine/send/retryPolicy';
import { operationWith, tryOf } from '../operation.cts';

/** The delay after a read that got a status, with these numbers of made and allowed tries. */
function delayAfter(
	[tries, maxTries, maxWait]: [number, number, number],
	status: number,
	meaningOf401?: Evidence['meaningOf401'],
) {
	const tried = tryOf(operationWith({ route: 'GET /things' }), { status, meaningOf401 });
	const serviceState = serviceStateOf(tried, false);
	return delayOfNextTry({ ...tried, serviceState }, tries, { maxTries, maxWait }, 0);
}

test.each<[string, number | undefined, Parameters<typeof delayAfter>]>([
	['where the service is busy: the pause that all have', 0, [[3, 4, 60_000], 503]],
	["none after 'Max Tries'", undefined, [[4, 4, 60_000], 503]],
	["none where 'Max Wait' is 0", undefined, [[1, 4, 0], 503]],
	['where the request may be at fault, it waits alone', backoffDelay(1, 0), [[1, 4, 1], 500]],
	['and longer each time', backoffDelay(2, 0), [[2, 4, 1], 500]],
	['with another token at once, whatever these say', 0, [[9, 1, 0], 401, 'renew']],
	['none where no token helps', undefined, [[9, 1, 0], 401, 'stopRenewing']],
	['none where the token serves others', undefined, [[9, 1, 0], 401, 'requestRefused']],
])('%s', (_, delay, given) => {
	expect(delayAfter(...given)).toBe(delay);
});

test('a clear refusal shows that the service works, whatever an earlier try left open', () => {
	const text = '{"success":false,"errors":"It is locked"}';
	const refused = { status: 400, text, inDoubt: true };
	const tried = tryOf(operationWith({ route: 'DELETE /things' }), refused);
	expect(serviceStateOf(tried, false)).toBe('works');
});

test('waits double with each failure, up to a limit, plus up to half as much at random', () => {
	const shortest = (failures: number) => backoffDelay(failures, 0);
	expect([1, 2, 4].map(shortest)).toEqual([500, 1000, 4000]);
	expect(shortest(15)).toBe(shortest(14));
	for (const failures of [1, 3, 15])
		expect(backoffDelay(failures, 0.999999)).toBe(1.5 * shortest(failures));
});
