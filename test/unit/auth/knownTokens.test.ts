// What a 401 shows of a token, by when it came and what else is known: which token is replaced, and which request is
// not sent again.
import { KnownTokens } from '../../../engine/auth/knownTokens';
import type { Token } from '../../../engine/auth/token';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime();
let tokens: KnownTokens;
let issued = 0;
beforeEach(() => void (tokens = new KnownTokens()));

/** A token that a sign-in has just brought. */
function freshToken(): Token {
	const token = { accessToken: `token ${++issued}`, settings: '', obtainedAt: issued };
	tokens.noteFresh(token);
	return token;
}

/** A token that has served for a while. */
function servingToken(): Token {
	const token = freshToken();
	tokens.noteAccepted(token, time.now);
	time.pass(1);
	return token;
}

/** A token that has served and is under way with others, after the one before it was refused to the request. */
function tokenAfterRefusalOf(request: object): Token {
	tokens.noteRefused(servingToken(), request);
	const token = servingToken();
	tokens.noteUnderWay(token);
	tokens.noteUnderWay(token);
	return token;
}

const replaced = { hasEndedAgain: false };
const replacedAgain = { hasEndedAgain: true };
const final = { isFinal: true };
const undecided = {};

describe('a fresh token that is refused', () => {
	test('is replaced once; a request that the next one is refused to as well is not sent again', () => {
		const request = {};
		const first = freshToken();
		expect(tokens.noteRefused(first, request)).toEqual(replaced);
		expect(tokens.hasEnded(first)).toBe(true);
		const second = freshToken();
		expect(tokens.noteRefused(second, request)).toEqual(final);
		expect(tokens.hasEnded(second)).toBe(false);
	});

	test('is replaced again where one was accepted in between', () => {
		tokens.noteRefused(freshToken(), {});
		servingToken();
		expect(tokens.noteRefused(freshToken(), {})).toEqual(replaced);
	});

	test('after a minute is one that has expired', () => {
		const request = {};
		tokens.noteRefused(freshToken(), request);
		const second = freshToken();
		time.pass(60_000);
		expect(tokens.noteRefused(second, request)).toEqual(replacedAgain);
	});

	test('is kept while another request with it may show what it is worth, but not for long', () => {
		const token = freshToken();
		const request = {};
		const endOfOne = tokens.noteUnderWay(token);
		tokens.noteUnderWay(token);
		for (let times = 0; times < 2; times++)
			expect(tokens.noteRefused(token, request)).toEqual(undecided);
		endOfOne();
		expect(tokens.noteRefused(token, request)).toEqual(replacedAgain);

		const other = freshToken();
		tokens.noteAccepted(servingToken(), time.now);
		tokens.noteUnderWay(other);
		tokens.noteUnderWay(other);
		const answers = [1, 2, 3].map(() => tokens.noteRefused(other, request));
		expect(answers).toEqual([undecided, undecided, replacedAgain]);
	});

	test('ten requests that no fresh token was good for, none of which succeeded, end all sign-ins', () => {
		tokens.noteRefused(freshToken(), {});
		const token = freshToken();
		for (let requests = 0; requests < 9; requests++) tokens.noteRefused(token, {});
		expect(tokens.refusesFreshTokens).toBe(false);
		tokens.noteRefused(token, {});
		expect(tokens.refusesFreshTokens).toBe(true);
		tokens.noteAccepted(token, time.now);
		expect(tokens.refusesFreshTokens).toBe(false);
	});
});

describe('a token that has served', () => {
	test('is ended by the first request that it is refused to, whatever else is under way', () => {
		const token = servingToken();
		tokens.noteUnderWay(token);
		tokens.noteUnderWay(token);
		expect(tokens.noteRefused(token, {})).toEqual(replaced);
	});

	test('is not ended by a request that another was refused to, until it is refused four times', () => {
		const request = {};
		const token = tokenAfterRefusalOf(request);
		const answers = [1, 2, 3, 4].map(() => tokens.noteRefused(token, request));
		expect(answers).toEqual([undecided, undecided, undecided, replacedAgain]);
	});

	test('is good as soon as a request succeeds that was signed after the refusal', () => {
		const request = {};
		const token = tokenAfterRefusalOf(request);
		const signedBefore = time.now;
		time.pass(10);
		for (let times = 0; times < 3; times++) tokens.noteRefused(token, request);
		// Signed before: it says nothing of the token as it is now.
		tokens.noteAccepted(token, signedBefore);
		time.pass(10);
		tokens.noteAccepted(token, time.now);
		expect(tokens.noteRefused(token, request)).toEqual({ isFinal: true, isOfRequestAlone: true });
		expect(tokens.noteRefused(token, {})).toEqual(undecided);
		expect(tokens.hasEnded(token)).toBe(false);
	});

	test('has ended though a request succeeds that was signed before the refusal', () => {
		const request = {};
		const token = tokenAfterRefusalOf(request);
		const signedBefore = time.now;
		time.pass(10);
		for (let times = 0; times < 3; times++) tokens.noteRefused(token, request);
		tokens.noteAccepted(token, signedBefore);
		expect(tokens.noteRefused(token, request)).toEqual(replacedAgain);
		expect(tokens.hasEnded(token)).toBe(true);
	});
});

test('the ten newest tokens are in no text', () => {
	const issuedTokens = Array.from({ length: 12 }, freshToken).map(({ accessToken }) => accessToken);
	expect(tokens.secrets).toEqual(issuedTokens.slice(2));
});
