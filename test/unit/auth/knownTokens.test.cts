// How long a 401 waits for the results of other requests; its meaning is tested in test/engine/auth and simulated
// worlds.
import { KnownTokens } from '../../../engine/auth/token';
import { nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime({ skipsPauses: true });

const limits = ['for five seconds at most', 'and not after the run has ended'];
test.each(limits)('the meaning of a 401 waits for other requests with it, %s', async (howLong) => {
	const tokens = new KnownTokens();
	const token = { accessToken: 'token', settings: '', obtainedAt: 1 };
	tokens.recordAccepted(token, time.now);
	time.pass(1);
	void tokens.trackRequest(token, new Promise(() => {}));
	const stop = new AbortController();
	const judging = tokens.learnFrom401(token, { refusedInRow: 0 }, stop.signal);
	await nextTurn();
	if (howLong.includes('run')) stop.abort();
	else time.pass(5000);
	expect(await judging).toBe('renew');
});
