// Reads why a response to a sign-in holds no token, whoever gave it, and says it in words.
import { adviceBaseUrl } from '../failure';
import {
	adviceByGatewayReason,
	gatewayAnswerOf,
	gatewayMessage,
	type GatewayReason,
} from '../http/gatewayAnswer';
import { isObject, isWebPage, jsonIn, truncate } from '../http/json';
import { askedWait, requestedWait } from '../http/retryAfter';
import { SignInError } from './signInError';
import type { SignInAnswer, SignInContext } from './signInRequest';

/** OAuth errors that are no refusal, because signing in may work later (RFC 6749 §4.1.2.1, RFC 8628 §3.5). */
const temporaryErrors = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Statuses that say "not now" (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = [408, 425, 429];

/** What to do when the service may be well again soon. */
export const adviceTryLater = 'Try again later.';

/**
 * What happened, why, and what to do.
 * @param words why, in the words of who answered; '' where there are none
 * @param advice what to do; '' where it is not known
 */
export function inSentences(what: string, words: string, advice = ''): string {
	const sentence = words === '' ? what : `${what}: ${words}`;
	const end = /[.!?…]$/.test(sentence) ? '' : '.';
	return advice === '' ? sentence : `${sentence}${end} ${advice}`;
}

/** A text of the service without secrets, and not longer than a message. */
export const safeText = (words: string, { redact }: SignInContext): string =>
	truncate(redact(words));

/**
 * @param words why it was refused, in the words of who refused it
 * @param gateway the gateway's reason, if it was the gateway
 */
export const signInRefused = (words: string, gateway?: GatewayReason): SignInError =>
	new SignInError(
		inSentences('Sign-in was refused', words, gateway && adviceByGatewayReason[gateway]),
		gateway === 'key' ? 'keyRefused' : 'signInRefused',
	);

/** A response without a token that does not say why. It may have counted as an attempt, so it is not repeated. */
export const signInWithoutToken = (what: string, words = ''): SignInError =>
	new SignInError(inSentences(what, words, adviceBaseUrl), 'signInRefused');

const isNonBlank = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/**
 * Reads why there is no token: an OAuth error (RFC 6749 §5.2), an error of the API spec's part Errors, a problem (RFC
 * 9457), or what else is usual. Nothing else of a response is ever quoted, since it may hold a token or a code.
 * @returns the words, and the code of an OAuth error; undefined for a body that names no error
 */
export function errorBody(text: string) {
	const body = jsonIn(text);
	if (!isObject(body)) return undefined;
	const { error, errors, error_description: description, message, detail, title } = body;
	if (isNonBlank(error))
		return { code: error, words: isNonBlank(description) ? `${description} (${error})` : error };
	const named = isObject(error) ? error.message : undefined;
	const listed = isObject(errors) ? JSON.stringify(errors) : errors;
	const words = [description, named, listed, message, detail, title].find(isNonBlank);
	return words !== undefined || body.success === false
		? { code: '', words: words ?? '' }
		: undefined;
}

/** Who answered instead of giving what was asked for, and what they say. */
export function wordsOf({ status, headers, text }: SignInAnswer, context: SignInContext) {
	const gateway = gatewayAnswerOf(status, headers, text);
	const error = gateway ? undefined : errorBody(text);
	const ownWords = error?.words ?? (isWebPage(text) ? 'a web page' : '');
	const words = safeText(gateway ? gatewayMessage(gateway, status) : ownWords, context);
	return { gateway, error, words };
}

/**
 * What the user reads when the response to a sign-in holds no token. Whatever refuses a sign-in may lock the account
 * when it is asked again, so only what says "not now" is no refusal. An OAuth error says so by its name, whatever its
 * status.
 */
export function errorWithoutToken(answer: SignInAnswer, context: SignInContext): SignInError {
	const { status, headers } = answer;
	const { words, gateway, error } = wordsOf(answer, context);
	const isQuota = gateway?.reason === 'quota';
	const isTemporary = error?.code
		? temporaryErrors.includes(error.code)
		: temporaryStatuses.includes(status) || status >= 500;
	if (isQuota || isTemporary) {
		const wait = requestedWait(status, headers, gateway);
		const what = `The service could not process the sign-in (status ${status})${askedWait(wait)}`;
		const reason = isQuota ? 'quotaUsedUp' : 'signInUnavailable';
		return new SignInError(inSentences(what, words, adviceTryLater), reason, wait);
	}
	return error || gateway
		? signInRefused(words, gateway?.reason)
		: signInWithoutToken(`The sign-in returned status ${status}`, words);
}
