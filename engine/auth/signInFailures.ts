// Reads why a response to a sign-in holds no token, and says it in words. The service, its gateway or a proxy gave it.
import { adviceSubscriptionKey, gatewayAnswerOf, gatewayMessage } from '../http/gatewayAnswer';
import { isObject, isWebPage, jsonIn, truncate } from '../http/json';
import { askedWait, requestedWait } from '../http/retryAfter';
import { SignInError } from './signInError';
import { adviceAddress, type SignInAnswer, type SignInContext } from './signInRequest';

/** OAuth errors that refuse a sign-in, whatever the status beside them (RFC 6749 §4.1.2.1, §5.2). */
const refusingErrors = /^(?:invalid|unauthorized|unsupported)_|^access_denied$/;

/** OAuth errors that say "not now" (RFC 6749 §4.1.2.1, RFC 8628 §3.5). */
const temporaryErrors = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Statuses that say "not now" (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = [408, 425, 429];

/** Statuses that refuse, whatever stands beside them, but a web page (API spec, Errors). */
const refusingStatuses = [400, 401, 403];

/** The advice where the service signs in elsewhere, unless the address is wrong. */
const adviceOtherGrant =
	"If that is right, ask the service owner about the grant 'Password at an Identity Provider'.";

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

/** The texts in a part of JSON, at any depth. */
const textsIn = (part: unknown): string[] =>
	typeof part === 'string' ? [part] : Object.values(part ?? {}).flatMap(textsIn);

const wordsIn = (part: unknown): string => textsIn(part).join(': ').trim().replace(/\s+/g, ' ');

/** A query as it is, without the escapes of HTML and JSON. */
const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('\\/', '/');

/** The parameters of everything in a response that may be a query, and of its fields. */
export function parametersIn({ headers, text }: SignInAnswer): URLSearchParams[] {
	const json = jsonIn(text);
	const texts = textsIn([headers.location, json ?? text]).map(unescaped);
	const runs = texts.flatMap((each) => each.split(/[\s"'<>?#]+/));
	const fields = isObject(json) ? (json as Record<string, string>) : '';
	return [...runs, fields].map((parameters) => new URLSearchParams(parameters));
}

/**
 * The parameters of the address to which a response redirects: in its Location header, or as its body, also inside JSON.
 * An interpreter writes its own notices on lines before the address. None for anything else.
 */
export function redirectQuery({ headers, text }: SignInAnswer): URLSearchParams {
	const lastLines = textsIn([headers.location, jsonIn(text) ?? text.trimEnd().split('\n').at(-1)]);
	const queries = lastLines.map((address) => /^[^\s{<]*?[?#]([^\s"]+)/.exec(address.trim())?.[1]);
	return new URLSearchParams(queries.find(Boolean)?.replaceAll('#', '&'));
}

/**
 * Reads why there is no token: an OAuth error (RFC 6749 §4.1.2.1, §5.2), an error of the API spec's part Errors, a
 * problem (RFC 9457), or what else is usual, with names in any letter case. Nothing else of a response is ever quoted,
 * since it may hold a token or a code.
 * @returns the words, which may be none; the code of an OAuth error; and whether an error is named at all
 */
export function errorIn(answer: SignInAnswer) {
	const fields = [...redirectQuery(answer), ...Object.entries(jsonIn(answer.text) ?? {})];
	const lowerCase = fields.map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
	const body = Object.fromEntries(lowerCase);
	const { error, errors, error_description: description, message, detail, title } = body;
	const code = typeof error === 'string' ? error.trim() : '';
	const named = [description, error, errors].map(wordsIn).find(Boolean);
	const words = named ?? [message, detail, title].map(wordsIn).find(Boolean) ?? '';
	const isNamed = named !== undefined || body.success === false;
	return { code, isNamed, words: code && code !== words ? `${words} (${code})` : words };
}

/** Who answered instead of giving what was asked for, and what they say. */
export function wordsOf(answer: SignInAnswer, { redact }: SignInContext) {
	const { status, headers, text } = answer;
	const gateway = gatewayAnswerOf(status, headers, text);
	const error = errorIn(answer);
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
	const { url, status, headers, text } = answer;
	const { words, gateway, error } = wordsOf(answer, context);
	const adviceHere = adviceAddress(url, context.settings);
	const isQuota = gateway?.reason === 'quota';
	const isTemporary =
		isQuota ||
		status >= 500 ||
		temporaryStatuses.includes(status) ||
		temporaryErrors.includes(error.code);
	const isRefusal = error.isNamed || (refusingStatuses.includes(status) && !isWebPage(text));
	if (refusingErrors.test(error.code) || (isRefusal && !isTemporary)) {
		const isKey = gateway?.reason === 'key';
		const isSaid = words && !gateway && status !== 404;
		const advice = isKey ? adviceSubscriptionKey : isSaid ? '' : adviceHere;
		const message = inSentences('Sign-in was refused', words || `status ${status}`, advice);
		return new SignInError(message, isKey ? 'keyRefused' : 'signInRefused');
	}
	// The gateway knows which operations there are, and an identity provider's address is given whole.
	if (status === 404 && (gateway || url === context.settings.tokenUrl)) {
		const advice = context.settings.tokenUrl ? adviceHere : `${adviceHere} ${adviceOtherGrant}`;
		return new SignInError(inSentences('There is no sign-in at this address', words, advice));
	}
	const wait = requestedWait(status, headers, gateway);
	const what = `The service issued no token (status ${status})${askedWait(wait)}`;
	const message = inSentences(what, words, isTemporary ? adviceTryLater : adviceHere);
	return new SignInError(message, isQuota ? 'quotaUsedUp' : 'signInUnavailable', wait);
}
