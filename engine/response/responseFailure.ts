// The failure for a response that is not a success: a code, what happened, and what to do about it.
import { isDocumented } from '../area';
import { adviceBaseUrl, adviceRunLater, Failure, type FailureCode } from '../failure';
import { adviceSubscriptionKey, gatewayMessage } from '../http/gatewayResponse';
import { formatCount } from '../http/format';
import { isEmpty, isWebPage } from '../http/json';
import { waitSuffix } from '../http/retryAfter';
import { adviceProxyPassword } from '../http/transportError';
import { pageInWords } from '../http/webPage';
import { is } from './evidence';
import type { CaseName, FinalResponse, Verdict, When } from './judge';
import { serviceMessagesOf, type ServiceMessages } from './serviceMessages';

/** A response to report, with its verdict and its messages. */
type Reported = FinalResponse & Verdict & ServiceMessages;

const checkIds = 'Check the IDs of this item.';
const askPermission = "Ask the service owner to allow it, or use another account's credential.";

function bodyFault(response: Reported): string {
	const { status, text, cut, found, quote } = response;
	const lacking = (fault: string) =>
		`The service returned status ${status}, but the response ${fault}`;
	if (cut) return lacking(cut === 'brokenOff' ? 'broke off' : 'is too large');
	if (isWebPage(text)) return lacking(`is ${quote(pageInWords(text))}`);
	if (is.missing(response)) return `The service has no such record (status ${status} without data)`;
	const expected = `expected ${found?.expected}`;
	if (is.blank(response)) return lacking(`is empty: ${expected}`);
	return lacking(`has another shape: ${expected}, not ${quote(text.trim())}`);
}

const adviceReadLess =
	"Read less at once: add filters, set a 'Limit', send fewer items to this node, or lower 'Page Size' in the credential.";

/** A later read may get a different response. */
function adviceOnBody(response: FinalResponse): string | undefined {
	if (is.page(response)) return adviceBaseUrl;
	if (!is.read(response)) return undefined;
	if (response.cut) return response.cut === 'tooLarge' ? adviceReadLess : adviceRunLater;
	if (is.missing(response)) return checkIds;
	if (isDocumented(response.operation)) return adviceRunLater;
	return response.content.expected === 'read'
		? "Check 'Path' and 'List Field'."
		: "Check 'Path' and 'ID Field'. Lists need 'Get Many'.";
}

/**
 * The advice if an ID, a value or a version is at fault. For any other refusal, the error item tells what happened to
 * the other paths.
 */
const adviceOnPath: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then resend this path.',
	404: "Nothing was changed on this path. Check that it is complete and has the record's ID in the service (not its number on paper), then resend it.",
	409: 'Nothing was changed on this path. If a version was given, it is out of date: resend the path with the current one.',
};

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Some services report an existing record with any status. */
const isConflict: When<Reported> = ({ status, kind }) =>
	kind === 'duplicate' || [409, 412].includes(status);

const isForbidden: When<Reported> = ({ status, kind }) => kind === 'permissions' || status === 403;

const areValuesRefused: When<Reported> = ({ status, kind }) =>
	kind === 'fields' || [400, 422].includes(status);

/** Programs that process a form often respond with the address of the next page (RFC 9110 §15.4.4). */
const isRedirect = is.oneOf(300, 301, 302, 303, 307, 308);

const isCase =
	(...names: CaseName[]): When<Reported> =>
	(reported) =>
		names.includes(reported.caseName);

const isTooLarge: When<Reported> = (reported) =>
	reported.status === 413 ||
	(reported.kind === 'other' && !is.read(reported) && is.tooLarge(reported.text));

/** What is probably wrong with the request, if the response does not say so by a status of its own. */
function suspicionOf(reported: Reported): string {
	const { sentBytes = 0, method, kind, gateway } = reported;
	// No common server takes less than nginx by default: 1 MB.
	const isLarge = sentBytes >= 1_000_000 && !gateway && ['fields', 'other'].includes(kind);
	const mayBeTooLarge = isLarge && is.between(200, 299, 400, 403, 404, 422, 500)(reported);
	if (sentBytes > 0 && (mayBeTooLarge || isTooLarge(reported)))
		return `; the file (${formatCount(sentBytes)} bytes) may be too large`;
	const mayObject =
		is.page(reported) && method.startsWith('P') && is.between(200, 299, 403, 406)(reported);
	return mayObject ? "; if other rows pass, a firewall may object to this row's values" : '';
}

const isRequestRefused: When<Reported> = ({ meaningOf401 }) => meaningOf401 === 'requestRefused';

const codes: ReadonlyArray<readonly [when: When<Reported>, code: FailureCode]> = [
	[isCase('keyRefused'), 'keyRefused'],
	[isCase('foreign'), 'unreadableResponse'],
	[isCase('tokenRefused'), 'tokenRefused'],
	[({ gateway }) => gateway?.reason === 'quota', 'quotaUsedUp'],
	[is.oneOf(429, 503), 'tooBusy'],
	[isCase('serviceFailed'), 'serviceFailed'],
	[isConflict, 'refused'],
	[isForbidden, 'notPermitted'],
	[areValuesRefused, 'valuesRefused'],
	[is.between(400, 499), 'refused'],
	[() => true, 'unreadableResponse'],
];

/** A text with `{status}`, or a function that makes one. The first entry that matches counts. */
type Text = string | ((reported: Reported) => string | undefined);
type Texts = ReadonlyArray<readonly [when: When<Reported>, text: Text]>;

/** What happened. */
const faultTexts: Texts = [
	[
		({ path }) => path !== undefined,
		({ path, outcome, status, found, quote }) =>
			outcome === 'refused'
				? `The service refused the path "${path}" with status ${status}`
				: `It is unclear what happened to the path "${path}": the service reported ${isEmpty(found?.data) ? 'nothing' : quote(JSON.stringify(found?.data))}`,
	],
	[isCase('failureReported'), 'The service returned status {status}, but reported a failure'],
	[is.oneOf(202), 'The service accepted the request, but has not carried it out yet (status 202)'],
	[
		isCase('recordBesideText', 'proofBesideText'),
		({ status, found: { data, otherText = '' } = {}, quote }) =>
			`The service returned status ${status} and ${quote(JSON.stringify(data))}, but with other text around its data: ${quote(otherText)}`,
	],
	[isCase('createdWithoutData', 'brokenOff', 'unreadable'), bodyFault],
	// The gateway's own message is quoted.
	[
		({ gateway }) => gateway,
		({ gateway, status, lines }) =>
			withCapital(gatewayMessage({ ...gateway!, words: lines.join() }, status)),
	],
	[isCase('foreign'), 'The service, or something in front of it, returned status {status}'],
	[
		isRequestRefused,
		'The service refused this item (status 401), though it accepts the same token for others',
	],
	[isCase('tokenRefused'), 'Sign-in refused'],
	[isConflict, 'The service returned status {status}'],
	[isForbidden, 'The account is not permitted to do this'],
	// For n8n before 2.34: since then, any status from a proxy is recognized as one, and is not a response.
	[is.oneOf(407), 'The proxy refused the connection (status 407)'],
	[({ kind }) => kind === 'fields', 'The service refused the values'],
	[isRedirect, 'The service returned a redirect (status {status}), which is never followed'],
	[
		() => true,
		({ status, retryAfter }) => `The service returned status ${status}${waitSuffix(retryAfter)}`,
	],
];

/** What to do about it, unless it is to look the item up. */
const adviceTexts: Texts = [
	[({ path }) => path !== undefined, ({ status }) => adviceOnPath[status]],
	[isTooLarge, "The request is too large: send a smaller file, or lower 'Batch Size'."],
	[(reported) => is.success(reported) && reported.caseName !== 'definiteRefusal', adviceOnBody],
	[isCase('keyRefused'), adviceSubscriptionKey],
	[isCase('foreign'), adviceBaseUrl],
	[isRequestRefused, `${checkIds} ${askPermission}`],
	[
		isCase('tokenRefused'),
		`The service refused a freshly issued token. Check 'Authorization Header' and 'Subscription Key' in the credential. If another program signs in to this account, that may end each token: run this item again later.`,
	],
	[
		isConflict,
		({ status, etag, kind }) =>
			kind !== 'duplicate' && (status === 412 || etag !== undefined)
				? "The version in 'ETag' is out of date: read the record again, then run this item with its current version."
				: "If the existing record is the one you meant, there is nothing to do; with 'Send Once', 'They Are There' settles an item in doubt. If not, correct this item, then run it again.",
	],
	[isForbidden, askPermission],
	[
		is.oneOf(404, 410),
		({ operation }) => {
			const check = isDocumented(operation) ? checkIds : "Check 'Path' of this item.";
			return operation.ids ? `${check} ${adviceBaseUrl}` : adviceBaseUrl;
		},
	],
	[is.oneOf(407), adviceProxyPassword],
	[
		areValuesRefused,
		({ content, lines }) =>
			content.adviceOnRefusal?.(lines) ?? 'Correct the values, then run this item again.',
	],
	[isRedirect, adviceBaseUrl],
];

function textOf(texts: Texts, reported: Reported): string | undefined {
	const [, text = ''] = texts.find(([when]) => when(reported)) ?? [];
	const { status } = reported;
	return typeof text === 'string' ? text.replace('{status}', `${status}`) : text(reported);
}

/** The failure for a response that does not prove a success. */
export function failureOf(response: FinalResponse): Failure {
	const reported: Reported = { ...response, ...response.verdict, ...serviceMessagesOf(response) };
	const { status, tries, retryAfter, gateway, path, outcome, lines: serviceMessages } = reported;
	const code = codes.find(([when]) => when(reported))![1];
	// If one new token after another is refused, the credential must be corrected.
	const retryable = code !== 'tokenRefused' && reported.retryable;
	const isAdvised = outcome !== 'inDoubt' || is.success(response);
	const quoted = gateway || serviceMessages.length === 0 ? '' : `: ${serviceMessages.join('; ')}`;
	const message = `${textOf(faultTexts, reported)}${quoted}${suspicionOf(reported)}`;
	const advice = isAdvised && !retryable ? textOf(adviceTexts, reported) : undefined;
	const details = { code, status, tries, path, retryAfter, retryable, serviceMessages, advice };
	return new Failure(message, outcome, details);
}
