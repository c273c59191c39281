// Recognizes responses that the gateway sends itself, without asking the service. The header
// Ocp-Apim-Subscription-Key is that of Azure API Management; the shapes are those that Microsoft documents for it. Its
// owner may change its texts, so the shape of a response counts first, and its words only where shapes are the same.
import { getIgnoringCase, isObject, jsonIn, parseJson } from './json';

export interface GatewayResponse {
	/**
	 * What is wrong with the subscription key, if that is why the gateway did not pass the request on: it is missing,
	 * unknown or has ended, or its calls or bytes of a period are used up.
	 */
	reason?: 'key' | 'quota';
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

/** The schemes with which a server asks for a user name and password (RFC 7617, 7616, 4559). */
const passwordScheme = /(?:^|,)\s*(?:Basic|Digest|Negotiate|NTLM)\b/i;

/** Whether a response asks for a password, which the service, whose requests carry a token, does not. */
export const asksForPassword = ({
	'www-authenticate': schemes,
}: Record<string, unknown>): boolean => passwordScheme.test(String(schemes));

/**
 * @param headers headers of the response, with names in lower case
 * @param text the beginning of its body
 * @returns undefined for a response of the service, or of anything else
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
	// A quota that is used up is replenished, and the response says when; a policy that refuses a caller does not.
	const isUsedUp = status === 403 && (asksToWait || /\bquota\b/i.test(error.words));
	return { ...error, reason: isKey ? 'key' : isUsedUp ? 'quota' : undefined };
}

/**
 * Whether a body is an error that the service itself wrote, as the API spec's part Errors shows them: an object with
 * `success` false, or with `errors`, a text, an object or a list. What stands before the service writes others.
 */
export function isServiceError(text: string): boolean {
	const body = jsonIn(text);
	const errors = getIgnoringCase(body, 'errors') ?? undefined;
	return getIgnoringCase(body, 'success') === false || ['string', 'object'].includes(typeof errors);
}

export const quotaText = "the subscription key's quota of calls or bytes is used up";

export const adviceSubscriptionKey =
	"Check 'Subscription Key' in the credential: the key may be mistyped, expired, or not valid for this part of the service. A key belongs to a product: ask the service owner which one is for this, and make a credential for each key.";

/** The gateway's action and words: its sentence, and the ID by which its owner finds the request. */
export function gatewayMessage({ reason, words, activityId }: GatewayResponse, status: number) {
	const said = reason === 'key' ? 'refused the subscription key' : `returned status ${status}`;
	const did = reason === 'quota' ? quotaText : `the service's gateway ${said}`;
	const ofLog = activityId && `activity ID ${activityId}, for the service owner`;
	return [did, words, ofLog].filter(Boolean).join(': ');
}
