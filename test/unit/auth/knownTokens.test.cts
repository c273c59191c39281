// How long a 401 waits for what other requests show; what it means is shown in test/engine/auth and lived in worlds.
import { KnownTokens } from '../../../engine/auth/knownTokens';
import type { Token } from '../../../engine/auth/token';
import { nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime({ skipsPauses: true });
const never = new AbortController().signal;
let tokens: KnownTokens;
let issued = 0;
beforeEach(() => void (tokens = new KnownTokens()));

const freshToken = (): Token => {
	const token = { accessToken: `token ${++issued}`, settings: '', obtainedAt: issued };
	tokens.remember(token);
	return token;
};
const servingToken = (): Token => {
	const token = freshToken();
	tokens.recordAccepted(token, time.now);
	time.pass(1);
	return token;
};

test('the refusal of a token waits for other requests with it, for five seconds at most, and not after the run has ended', async () => {
	const [token, other] = [servingToken(), servingToken()];
	tokens.trackRequest(token);
	const judging = tokens.judge(token, { refusedInRow: 0 }, never);
	await nextTurn();
	time.pass(5000);
	expect(await judging).toBe('renew');
	tokens.trackRequest(other);
	const stop = new AbortController();
	const stopped = tokens.judge(other, { refusedInRow: 0 }, stop.signal);
	await nextTurn();
	stop.abort();
	expect(await stopped).toBe('renew');
});
