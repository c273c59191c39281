// What the Test button of the credential finds out when the sign-in has succeeded: whether the service takes the token
// as it is sent, and if not, which setting is wrong.
import { adviceSubscriptionKey } from '../http/gatewayAnswer';
import { isWebPage } from '../http/json';
import { adviceTryLater, inSentences, wordsOf } from './signInFailures';
import { SignInError } from './signInError';
import { adviceAddress, request, type SignInContext } from './signInRequest';

/** How the token is written in the Authorization header; the values of the setting of that name. */
export const authorizationForms = {
	token: { label: 'Token Alone', write: (token: string) => token },
	bearer: { label: 'Bearer and Token', write: (token: string) => `Bearer ${token}` },
};

type AuthorizationForm = keyof typeof authorizationForms;

/** @param setting the credential's setting, which may be missing or anything */
export const authorizationFormOf = (setting: unknown): AuthorizationForm =>
	setting === 'bearer' ? 'bearer' : 'token';

/** What the test reads: one vendor, since any account that may do anything may do this. */
export const testRequest = { url: '/agencyvendors/vendors', qs: { limit: 1 } };

/** What a status, or the gateway, shows, and what to do about it. */
const findings: Record<number | string, [what: string, advice: string]> = {
	401: [
		'the service refused the token as sent',
		"Choose the other value of 'Authorization Header'; if that fails too, ask the service owner what this account may do.",
	],
	403: [
		'this account may not read vendors, which this test does',
		'Other operations may still work.',
	],
	key: ['this key is not for vendors, which this test reads', adviceSubscriptionKey],
	quota: ['the test was blocked', adviceTryLater],
};

/**
 * Reads one vendor with a token that was just issued.
 * @param authorization how the token is written in the header of that name
 * @throws SignInError that says what is wrong, with the words of the refusal
 */
export async function testToken(context: SignInContext, authorization: string): Promise<void> {
	const headers = { Authorization: authorization };
	const url = `${context.settings.baseUrl}${testRequest.url}`;
	const answer = await request(context, url, { method: 'GET', qs: testRequest.qs, headers });
	const { status, text } = answer;
	if (status < 300 && !isWebPage(text)) return;
	const { gateway, words } = wordsOf(answer, context);
	const elsewhere = status < 500 ? adviceAddress(url, context.settings) : adviceTryLater;
	const other = [`the test returned status ${status}`, elsewhere];
	const [what, advice] = findings[gateway?.reason ?? status] ?? other;
	throw new SignInError(inSentences(`Signed in, but ${what!}`, words, advice));
}
