// By the real clock: whether the limiter leaves timers in an otherwise idle process.
import type { SentRequest } from '../../../engine/send/congestionWindow';
import { Limiter } from '../../../engine/send/limiter';
import { SendingRun } from '../../../engine/send/sendingRun';
import { operationWith, tryOf } from '../operation.cts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a pause that nobody waits for any more leaves no timer', async () => {
	const limiter = new Limiter();
	const operation = operationWith({ route: 'GET /vendors' });
	const cancel = new AbortController();
	const run = new SendingRun(operation, cancel.signal);
	const limits = { maxTries: 4, maxWait: 60_000 };
	const pass = (await limiter.enter(run, limits, run.stop)) as SentRequest;
	const busy = { serviceState: 'congested', status: 429, retryAfter: 20_000 } as const;
	limiter.leave(pass, run, limits, tryOf(operation, busy));
	const before = timers();
	const waiting = limiter.enter(run, limits, run.stop);
	expect(timers()).toBe(before + 1);
	cancel.abort();
	await waiting;
	expect(timers()).toBeLessThanOrEqual(before);
});
