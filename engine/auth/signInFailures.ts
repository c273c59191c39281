// Reads why a response to a sign-in holds no token, and says it in words. The service, its gateway or a proxy gave it.
import { adviceBaseUrl } from '../failure';
import { adviceSubscriptionKey, gatewayAnswerOf, gatewayMessage } from '../http/gatewayAnswer';
import { isObject, isWebPage, jsonIn, parseJson, truncate, type JsonObject } from '../http/json';
import { askedWait, requestedWait } from '../http/retryAfter';
import { SignInError } from './signInError';
import type { SignInAnswer, SignInContext } from './signInRequest';

/** OAuth errors that refuse a sign-in, whatever the status beside them (RFC 6749 §4.1.2.1, §5.2). */
const refusingErrors = /^(?:invalid|unauthorized|unsupported)_|^access_denied$/;

/** OAuth errors that say "not now" (RFC 6749 §4.1.2.1, RFC 8628 §3.5). */
const temporaryErrors = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Statuses that say "not now" (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = [408, 425, 429];

/** Statuses that refuse, whatever stands beside them, but a web page (API spec, Errors). */
const refusingStatuses = [400, 401, 403];

/** The advice when the service may recover soon. */
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

/**
 * The parameters of the redirect address with which the service answers, as plain text or as a JSON string; none for
 * anything else.
 */
export function redirectQuery(text: string): URLSearchParams {
	// An interpreter writes its own notices on lines before the address.
	const lastLine = text.trimEnd().split('\n').at(-1)!;
	const parsed = parseJson(lastLine);
	const address = typeof parsed === 'string' ? parsed : lastLine;
	return new URLSearchParams(/^[^\s{<]*\?([^#]*)/.exec(address.trim())?.[1]);
}

const isNonBlank = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/**
 * Reads why there is no token: an OAuth error (RFC 6749 §5.2), an error of the API spec's part Errors, a problem (RFC
 * 9457), or what else is usual. Nothing else of a response is ever quoted, since it may hold a token or a code.
 * @returns the words, which may be none; the code of an OAuth error; and whether an error is named at all
 */
function errorIn(text: string) {
	const json = jsonIn(text);
	const query = Object.fromEntries(redirectQuery(text));
	const body: JsonObject = isObject(json) ? json : query;
	const { error, errors, error_description: description, message, detail, title } = body;
	const code = isNonBlank(error) ? error : '';
	const named = isObject(error) ? error.message : error;
	const listed = isObject(errors) ? JSON.stringify(errors) : errors;
	const words = [description, named, listed, message, detail, title].find(isNonBlank) ?? '';
	const isNamed = [description, named, listed].some(isNonBlank) || body.success === false;
	return { code, isNamed, words: code && code !== words ? `${words} (${code})` : words };
}

/** Who answered instead of giving what was asked for, and what they say. */
export function wordsOf({ status, headers, text }: SignInAnswer, { redact }: SignInContext) {
	const gateway = gatewayAnswerOf(status, headers, text);
	const error = errorIn(text);
	const ownWords = error.words || (isWebPage(text) ? 'a web page' : '');
	const words = truncate(redact(gateway ? gatewayMessage(gateway, status) : ownWords));
	return { gateway, error, words };
}

/**
 * The error for a response without a token or code. Only a proven refusal is remembered, since it may lock the account
 * when it is repeated: an error that the service names, or a status with which it refuses, unless name or status say
 * "not now". Anything else may come from what stands in front of the service, or is at a wrong address.
 */
export function errorWithoutToken(answer: SignInAnswer, context: SignInContext): SignInError {
	const { status, headers, text } = answer;
	const { words, gateway, error } = wordsOf(answer, context);
	const isQuota = gateway?.reason === 'quota';
	const isTemporary =
		isQuota ||
		status >= 500 ||
		temporaryStatuses.includes(status) ||
		temporaryErrors.includes(error.code);
	const isRefusal = error.isNamed || (refusingStatuses.includes(status) && !isWebPage(text));
	if (refusingErrors.test(error.code) || (isRefusal && !isTemporary)) {
		const isKey = gateway?.reason === 'key';
		const advice = isKey ? adviceSubscriptionKey : words && !gateway ? '' : adviceBaseUrl;
		const message = inSentences('Sign-in was refused', words || `status ${status}`, advice);
		return new SignInError(message, isKey ? 'keyRefused' : 'signInRefused');
	}
	const wait = requestedWait(status, headers, gateway);
	const what = `The service issued no token (status ${status})${askedWait(wait)}`;
	const message = inSentences(what, words, isTemporary ? adviceTryLater : adviceBaseUrl);
	return new SignInError(message, isQuota ? 'quotaUsedUp' : 'signInUnavailable', wait);
}
