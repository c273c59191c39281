// Recognizes responses that the gateway sends itself, without asking the service. The header Ocp-Apim-Subscription-Key
// is Azure API Management's, and the shapes are those that Microsoft documents for it
// (https://learn.microsoft.com/troubleshoot/azure/api-mgmt/availability/unauthorized-errors-invoke-apis). The gateway's
// owner may change its texts, so the shape of a response counts first, and its words only if shapes are the same.
import { getIgnoringCase, isEmpty, type JsonObject, jsonIn, parseJson } from './json';

export interface GatewayResponse {
	/**
	 * The problem with the subscription key, if the gateway withheld the request because of it: `key` if it is missing,
	 * unknown or expired; `quota` if its calls or bytes for a period are used up.
	 */
	reason?: 'key' | 'quota';
	/** The gateway's own sentence; '' if it gave none. */
	words: string;
	/** The request's ID in the gateway's log, for the gateway's owner. */
	activityId?: string;
}

/** The gateway's error: a status and a sentence, and no field that the gateway would not write. */
function gatewayError(status: number, text: string) {
	const { statusCode, message, activityId, ...others } = { ...(parseJson(text) as JsonObject) };
	const isOwn = Number(statusCode) === status && isEmpty(others);
	if (!isOwn || typeof message !== 'string') return undefined;
	return { words: message.trim(), ...(typeof activityId === 'string' && { activityId }) };
}

/**
 * The authentication scheme with which the gateway asks for a subscription key, whatever its owner calls the header.
 */
const keyScheme = /(?:^|,)\s*AzureApiManagementKey\b/i;

/** The authentication schemes that ask for a user name and password (RFC 7617, 7616, 4559). */
const passwordScheme = /(?:^|,)\s*(?:Basic|Digest|Negotiate|NTLM)\b/i;

/** Whether a response asks for a password. The service never does, since its requests carry a token. */
export const asksForPassword = (headers: Record<string, unknown>): boolean =>
	passwordScheme.test(String(headers['www-authenticate']));

/**
 * @param headers headers of the response, with names in lowercase
 * @param text the beginning of its body
 * @returns undefined for a response from the service, or from anything else
 */
export function gatewayResponseOf(
	status: number,
	headers: Record<string, unknown>,
	text: string,
): GatewayResponse | undefined {
	if (status < 400) return undefined;
	// Node.js joins headers of this name with commas.
	const asksForKey = status === 401 && keyScheme.test(String(headers['www-authenticate']));
	const asksToWait = headers['retry-after'] !== undefined;
	const isQuota = status === 403 && asksToWait && /quota/i.test(text) && !isServiceError(text);
	const error = gatewayError(status, text) ?? (asksForKey || isQuota ? { words: '' } : undefined);
	if (!error) return undefined;
	const isKey = asksForKey || (status === 401 && /subscription key/i.test(error.words));
	// A used-up quota is replenished, and the response says when; a policy that refuses a caller does not.
	const isUsedUp = status === 403 && (asksToWait || /\bquota\b/i.test(error.words));
	return { ...error, reason: isKey ? 'key' : isUsedUp ? 'quota' : undefined };
}

/**
 * Whether a body is an error that the service itself wrote, as shown in the API spec's part Errors: an object with
 * `success` false, or with `errors`: text, an object or a list. A proxy's errors differ.
 */
export function isServiceError(text: string): boolean {
	const body = jsonIn(text);
	const errors = getIgnoringCase(body, 'errors') ?? undefined;
	return getIgnoringCase(body, 'success') === false || ['string', 'object'].includes(typeof errors);
}

export const quotaText = "the subscription key's quota of calls or bytes is used up";

export const adviceSubscriptionKey =
	"Check 'Subscription Key' in the credential: the key may be mistyped, expired, or not valid for this part of the service. A key belongs to a product: ask the service owner which one is for this, and make a credential for each key.";

/** What the gateway did, with its sentence, and the ID by which its owner finds the request. */
export function gatewayMessage({ reason, words, activityId }: GatewayResponse, status: number) {
	const said = reason === 'key' ? 'refused the subscription key' : `returned status ${status}`;
	const did = reason === 'quota' ? quotaText : `the service's gateway ${said}`;
	const reference = activityId && `activity ID ${activityId}, for the service owner`;
	return [did, words, reference].filter(Boolean).join(': ');
}
