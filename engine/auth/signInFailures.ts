// Reads why an answer to a sign-in holds no token, whoever gave it, and says it in words.
import { adviceBaseUrl } from '../failure';
import {
	adviceByGatewayReason,
	gatewayAnswerOf,
	gatewayMessage,
	quotaUsedUp,
} from '../http/gatewayAnswer';
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import { waitAskedFor } from '../http/retryAfter';
import type { AccountSettings } from './accountSettings';
import { redact } from './redact';
import { SignInError, type SignInFault } from './signInError';
import type { SignInAnswer } from './signInRequest';

/** What no error may show. */
export interface SecretsToHide {
	settings: AccountSettings;
	/** Texts besides the settings' own secrets. */
	secrets: string[];
}

/** OAuth errors that are no refusal, because signing in may work later (RFC 6749 §4.1.2.1, RFC 8628 §3.5). */
const temporaryErrors = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Statuses that say "not now" (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporaryStatuses = [408, 425, 429];

/** What may be said of an answer: without the secrets, and not longer than a message. */
export const sayable = (words: string, { settings, secrets }: SecretsToHide): string =>
	shortened(redact(words, settings, secrets));

/**
 * @param words why it was refused, in the words of who refused it; secrets are taken out of them
 * @param advice what to do, where it is known
 */
export const signInRefused = (
	words: string,
	context: SecretsToHide,
	advice?: string,
	fault: SignInFault = 'refused',
): SignInError => {
	const reason = sayable(words, context);
	const sentence = advice && !/[.!?…]$/.test(reason) ? `${reason}.` : reason;
	return new SignInError(
		[`Sign-in was refused: ${sentence}`, ...(advice ? [advice] : [])].join(' '),
		fault,
	);
};

/** An answer that holds no token and does not say why. It may have counted as an attempt, so it is not repeated. */
export const signInUnanswered = (what: string): SignInError =>
	new SignInError(`${what}. ${adviceBaseUrl}`, 'refused');

interface ErrorBody {
	/** The `error` of an OAuth error. */
	code?: string;
	words: string;
}

export const isSaid = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/**
 * Reads why there is no token: an OAuth error (RFC 6749 §5.2), an error of the interface's part Errors, a problem (RFC
 * 9457), or what else is usual.
 * @returns undefined for a body that names no error
 */
export function errorBody(text: string): ErrorBody | undefined {
	const body = parseJson(text);
	if (!isObject(body)) return undefined;
	const { error, errors, error_description: description, message, detail, title } = body;
	if (isSaid(error))
		return { code: error, words: isSaid(description) ? `${description} (${error})` : error };
	const named = isObject(error) ? error.message : undefined;
	const words = [description, named, errors, message, detail, title].find(isSaid);
	if (words !== undefined) return { words };
	const isListed =
		isObject(errors) || isObject(error) || (Array.isArray(errors) && errors.length > 0);
	return isListed || body.success === false ? { words: text.trim() } : undefined;
}

/**
 * What the user reads when the answer to a sign-in holds no token. Whatever refuses a sign-in may lock the account when
 * it is asked again, so only what says "not now" is no refusal. An OAuth error says so by its name, whatever its status.
 */
export function errorWithoutToken(
	{ status, headers, text }: SignInAnswer,
	context: SecretsToHide,
): SignInError {
	const gateway = gatewayAnswerOf(status, headers, text);
	const retryAfter = waitAskedFor(status, headers, gateway);
	if (gateway?.reason === 'quota')
		return new SignInError(
			`Signing in was not possible: ${quotaUsedUp(retryAfter)}`,
			'quota',
			retryAfter,
		);
	const error = gateway ? undefined : errorBody(text);
	const isNamed = error?.code !== undefined;
	const isTemporary = isNamed
		? temporaryErrors.includes(error.code ?? '')
		: temporaryStatuses.includes(status) || status >= 500;
	if (isTemporary) {
		const words = gateway
			? `: ${sayable(gatewayMessage(gateway, status), context)}`
			: '. Try again later.';
		return new SignInError(
			`The service could not process the sign-in (status ${status})${words}`,
			'unavailable',
			retryAfter,
		);
	}
	if (gateway)
		return signInRefused(
			gatewayMessage(gateway, status),
			context,
			adviceByGatewayReason[gateway.reason],
			gateway.reason === 'key' ? 'key' : 'refused',
		);
	if (error) return signInRefused(error.words, context);
	const webPage = isWebPage(text) ? ' and a web page' : '';
	const words = webPage || status < 400 || !text.trim() ? '' : `: ${sayable(text.trim(), context)}`;
	return signInUnanswered(
		`The service answered the sign-in with status ${status}${webPage}${words}`,
	);
}
