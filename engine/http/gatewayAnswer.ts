// Recognizes responses that the gateway sends itself, without asking the service. The header
// Ocp-Apim-Subscription-Key is that of Azure API Management; the shapes are those that Microsoft documents for it. Its
// owner may change its texts, so the shape of a response counts first, and its words only where shapes are the same.
import { formatDuration } from './format';
import { isObject, parseJson } from './json';

/**
 * Why the gateway did not pass a request on:
 * - `key`: the subscription key is missing, unknown or has ended
 * - `quota`: the calls or bytes that the key allows in a period are used up
 * - `address`: its policies refuse the caller, for instance by IP address
 * - `route`: it knows no such API, version or operation
 * - `other`: anything else; the status says what
 */
export type GatewayReason = 'key' | 'quota' | 'address' | 'route' | 'other';

export interface GatewayAnswer {
	reason: GatewayReason;
	/** The gateway's own sentence; '' when it gave none. */
	words: string;
	/** By which the gateway's owner finds the request in the gateway's log. */
	activityId?: string;
}

const gatewayFields = ['statusCode', 'message', 'activityId'];

/** The gateway's error: a status and a sentence, and nothing that it would not write itself. */
function gatewayError(status: number, text: string) {
	const body = parseJson(text);
	if (!isObject(body) || !Object.keys(body).every((name) => gatewayFields.includes(name)))
		return undefined;
	const { statusCode, message, activityId } = body;
	if (typeof message !== 'string' || Number(statusCode) !== status) return undefined;
	return { words: message.trim(), ...(typeof activityId === 'string' && { activityId }) };
}

/** The scheme with which the gateway asks for a subscription key, whatever its owner calls the header. */
const keyScheme = /(?:^|,)\s*AzureApiManagementKey\b/i;

function reasonOf(status: number, words: string, asksToWait: boolean): GatewayReason {
	if (status === 401) return /subscription key/i.test(words) ? 'key' : 'other';
	// A quota that is used up is replenished, and the response says when; a policy that refuses a caller does not.
	if (status === 403) return asksToWait || /\bquota\b/i.test(words) ? 'quota' : 'address';
	return status === 404 ? 'route' : 'other';
}

/**
 * @param headers headers of the response, with names in lower case
 * @param text the beginning of its body
 * @returns undefined for a response of the service, or of anything else
 */
export function gatewayAnswerOf(
	status: number,
	headers: Record<string, unknown>,
	text: string,
): GatewayAnswer | undefined {
	if (status < 400) return undefined;
	// Node.js joins headers of this name with commas.
	const asksForKey = status === 401 && keyScheme.test(String(headers['www-authenticate']));
	const error = gatewayError(status, text) ?? (asksForKey ? { words: '' } : undefined);
	if (!error) return undefined;
	const asksToWait = headers['retry-after'] !== undefined;
	return { ...error, reason: asksForKey ? 'key' : reasonOf(status, error.words, asksToWait) };
}

/**
 * Whether a body is an error that the service itself wrote, as the API spec's part Errors shows them: an object with
 * `success` false, or with `errors`, a text or an object. What stands before the service writes others.
 */
export function isServiceError(text: string): boolean {
	const body = parseJson(text);
	if (!isObject(body)) return false;
	const { success, errors } = body;
	return success === false || typeof errors === 'string' || isObject(errors);
}

/** What the gateway did, as a part of a message. */
const reasonText: Readonly<Record<GatewayReason, (status: number) => string>> = {
	key: () => "the service's gateway refused the subscription key",
	quota: () => "the subscription key's quota of calls or bytes is used up",
	address: () => "the service's gateway refused the request",
	route: () => "the service's gateway does not know this address",
	other: (status) => `the service's gateway returned status ${status}`,
};

/** What to do about it, where the status alone does not say it. */
export const adviceByGatewayReason: Readonly<Partial<Record<GatewayReason, string>>> = {
	key: "Check 'Subscription Key' in the credential: the key may be mistyped, expired, or not valid for this part of the service.",
	address:
		'The gateway admits only certain callers, such as IP addresses: ask the service owner to admit the machine that runs n8n.',
	route:
		"Check 'Base URL' in the credential: its path may be missing or wrong, or this part of the service may not be published there.",
};

/** What the gateway did and said: its sentence, and what its owner needs to find the request. */
export const gatewayMessage = (
	{ reason, words, activityId }: GatewayAnswer,
	status: number,
): string =>
	[
		reasonText[reason](status),
		words,
		activityId && `activity ID ${activityId}, for the service owner`,
	]
		.filter(Boolean)
		.join(': ');

/**
 * When a quota is replenished, as a part of a message.
 * @param wait milliseconds; undefined or Infinity when the gateway does not say when
 */
export const quotaUsedUp = (wait = Infinity): string =>
	`${reasonText.quota(403)}${wait === Infinity ? '' : `; the quota is replenished in ${formatDuration(wait)}`}`;
