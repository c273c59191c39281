// The meaning of a 401: which token is replaced, and which request is not sent again.
import { KnownTokens, type Refusal } from '../../../engine/auth/knownTokens';
import type { Token } from '../../../engine/auth/token';
import { nextTurn } from '../../harness/turns';
import { useVirtualTime } from '../../harness/virtualTime';

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
const judge = (token: Token, refusals: Refusal[] = []) => tokens.judge(token, refusals, never);
const hasEnded = (token: Token) => tokens.remember(token).hasEnded;

test('a token that is refused while no other request is in progress has ended', async () => {
	for (const token of [freshToken(), servingToken()]) {
		expect(await judge(token)).toBe('renew');
		expect(hasEnded(token)).toBe(true);
	}
});

test('a request gives up after three tokens, the later of which served nobody; the last is kept', async () => {
	const refusals: Refusal[] = [];
	const refused = [servingToken(), freshToken(), servingToken(), servingToken(), freshToken()];
	const verdicts = [];
	for (const token of refused) verdicts.push(await judge(token, refusals));
	expect(verdicts).toEqual(['renew', 'renew', 'renew', 'renew', 'giveUp']);
	expect(hasEnded(refused.at(-1)!)).toBe(false);
});

describe('while another request with the token is in progress', () => {
	test('the refusal waits; it is of this request alone if one that was signed later succeeds', async () => {
		const token = servingToken();
		const signedBefore = time.now;
		const endOfOther = tokens.trackRequest(token);
		time.pass(1);
		let verdict: string | undefined;
		const judging = judge(token).then((judged) => (verdict = judged));
		await nextTurn();
		time.pass(1);
		const endOfLater = tokens.trackRequest(token);
		const signedLater = time.now;
		tokens.recordAccepted(token, signedBefore);
		endOfOther();
		await nextTurn();
		expect(verdict).toBeUndefined();
		tokens.recordAccepted(token, signedLater);
		endOfLater();
		expect(await judging).toBe('refusedAlone');
		expect(hasEnded(token)).toBe(false);
	});

	test('the token has ended once it is refused to all of them', async () => {
		const token = servingToken();
		const ends = [tokens.trackRequest(token), tokens.trackRequest(token)];
		const judging = ends.map(async (end) => {
			await nextTurn();
			end();
			return await judge(token);
		});
		expect(await Promise.all(judging)).toEqual(['renew', 'renew']);
	});

	test('the refusal waits for five seconds at most, and not after the run has ended', async () => {
		const [token, other] = [servingToken(), servingToken()];
		tokens.trackRequest(token);
		const judging = judge(token);
		await nextTurn();
		time.pass(5000);
		expect(await judging).toBe('renew');
		tokens.trackRequest(other);
		const stop = new AbortController();
		const stopped = tokens.judge(other, [], stop.signal);
		await nextTurn();
		stop.abort();
		expect(await stopped).toBe('renew');
	});
});

test('a success with an earlier token of the request shows that it is refused alone', async () => {
	const refusals: Refusal[] = [];
	const token = servingToken();
	await judge(token, refusals);
	time.pass(1);
	tokens.recordAccepted(token, time.now);
	expect(await judge(freshToken(), refusals)).toBe('refusedAlone');
});

test('the ten newest tokens are in no text', () => {
	const issuedTokens = Array.from({ length: 12 }, freshToken).map(({ accessToken }) => accessToken);
	expect(tokens.secrets).toEqual(issuedTokens.slice(2));
});
