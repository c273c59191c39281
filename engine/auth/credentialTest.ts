// What the Test button of the credential finds out when the sign-in has succeeded: whether the service takes the token
// as it is sent, and if not, which setting is wrong.
import { adviceBaseUrl } from '../failure';
import { adviceByGatewayReason } from '../http/gatewayAnswer';
import { isWebPage } from '../http/json';
import { adviceTryLater, inSentences, wordsOf } from './signInFailures';
import { SignInError } from './signInError';
import { request, type SignInAnswer, type SignInContext } from './signInRequest';

/** How the token is written in the Authorization header; the values of the setting of that name. */
export const authorizationForms = {
	token: { label: 'Token Alone', write: (token: string) => token },
	bearer: { label: 'Bearer and Token', write: (token: string) => `Bearer ${token}` },
};

export type AuthorizationForm = keyof typeof authorizationForms;

/** @param setting the credential's setting, which may be missing or anything */
export const authorizationFormOf = (setting: unknown): AuthorizationForm =>
	setting === 'bearer' ? 'bearer' : 'token';

/** What the test reads: one vendor, since any account that may do anything may do this. */
export const testRequest = { url: '/agencyvendors/vendors', qs: { limit: 1 } };

/**
 * Reads one vendor with a token that was just issued.
 * @throws SignInError that names the setting which is wrong, in the words of whoever refused the request
 */
export async function testToken(
	context: SignInContext,
	token: string,
	form: AuthorizationForm,
): Promise<void> {
	const read = (as: AuthorizationForm): Promise<SignInAnswer> => {
		const headers = { Authorization: authorizationForms[as].write(token) };
		return request(context, testRequest.url, { ...testRequest, method: 'GET', headers });
	};
	const answer = await read(form);
	const { status, text } = answer;
	if (status < 300 && !isWebPage(text)) return;
	const { gateway, words } = wordsOf(answer, context);
	let what = `the test returned status ${status}`;
	let advice = status < 500 ? adviceBaseUrl : adviceTryLater;
	if (gateway && gateway.reason !== 'other') {
		what = 'the test was blocked';
		advice = adviceByGatewayReason[gateway.reason] ?? adviceTryLater;
	} else if (status === 401) {
		const other = form === 'token' ? 'bearer' : 'token';
		const isOtherAccepted = (await read(other)).status !== 401;
		what = 'the service refused the token as sent';
		advice = isOtherAccepted
			? `Set 'Authorization Header' to "${authorizationForms[other].label}": the service accepts that.`
			: "Both values of 'Authorization Header' fail: ask the service owner what this account may do.";
	} else if (status === 403) {
		what = 'this account may not read vendors, which this test does';
		advice = 'Other operations may still work.';
	}
	throw new SignInError(inSentences(`Signed in, but ${what}`, words, advice));
}
