// The one table of what a response means, or that none came: what became of the item, whether the request is sent
// again, and what a person reads. The table in docs/reliability.md is made from it.
import { isDocumented, type Method } from '../area';
import { adviceBaseUrl, adviceRunLater, type FailureCode } from '../failure';
import { adviceSubscriptionKey, gatewayMessage, isServiceError } from '../http/gatewayAnswer';
import { isEmpty, isWebPage, jsonIn, truncate } from '../http/json';
import { askedWait } from '../http/retryAfter';
import { adviceProxyPassword } from '../http/transportError';
import type { Outcome } from '../outcome';
import {
	hasBlankBody,
	isBetween,
	isRead,
	isSuccess,
	type Answer,
	type Evidence,
	type Expected,
} from './evidence';
import type { ServiceMessages } from './serviceMessages';

/** What stands in the output for the data of a response that is a success without it. */
export type StandIn = 'notModified' | 'notFound';

/** A response about which a person is told. */
export interface ToldAnswer extends Answer {
	/** What the service itself says of a failure. */
	said: ServiceMessages;
	/** What became of the item. */
	outcome: Outcome;
}

/** A text, or what makes one of a response; undefined where the next rule has to say it. */
type Text = string | ((evidence: ToldAnswer) => string | undefined);

export interface Rule {
	/** In the words of the tables in the docs; left out where it says nothing of the outcome. */
	when?: string;
	matches: (evidence: Evidence & { said?: ServiceMessages }) => unknown;
	/** What became of a write, where it makes a difference by what is expected. A read that is not `sent` changes nothing. */
	outcome?: Outcome | Partial<Record<Expected, Outcome>>;
	/** The methods whose requests are sent again, where the rule decides the outcome. */
	again?: readonly Method[];
	code?: FailureCode;
	/** What happened. */
	says?: Text;
	/** What to do about it, unless that is to look the item up. */
	advice?: Text;
	/** Of a success. */
	standIn?: StandIn;
	/** Shown beside the output. */
	hint?: string;
}

/**
 * The methods that may be sent again where it is harmless to be processed twice (RFC 9110 §9.2.2). By that a PUT is one,
 * but the API spec has none, and what a service does that takes it for a POST is not known.
 */
const idempotent: readonly Method[] = ['GET', 'DELETE'];
const every: readonly Method[] = [...idempotent, 'POST', 'PUT', 'PATCH'];

const checkIds = 'Check the IDs of this item.';
const askPermission = "Ask the service owner to allow it, or use another account's credential.";

type Status = Pick<Evidence, 'status'>;

const isStatus =
	(...statuses: number[]) =>
	({ status = 0 }: Status): boolean =>
		statuses.includes(status);

const inSuccess = (matches: Rule['matches']) => (evidence: Evidence) =>
	isSuccess(evidence) && matches(evidence);

const isPage = ({ text = '' }: Evidence): boolean => isWebPage(text);

/**
 * Whether a 4xx may be that of something else than the service and its gateway, in place of a response that it did not get
 * or does not pass on: a page of nginx or ModSecurity, a firewall's text, a server that nginx asks instead. With some
 * statuses a request itself is judged, or its token. But a DELETE sends nothing, and Fastify says 400 to each that has a
 * Content-Type; and no token is refused by who asks for a password.
 */
function isForeign(evidence: Evidence): boolean {
	const { status, method, path, gateway, asksForPassword, text = '' } = evidence;
	if (!isBetween(400, 499)(evidence) || isStatus(407, 408, 413, 429)(evidence)) return false;
	if (isPage(evidence)) return status !== 401 || !isRead(evidence);
	const judged = [409, 412, 422, method !== 'DELETE' && 400, !asksForPassword && 401];
	const isKnown = judged.includes(status!) || path !== undefined || gateway || isServiceError(text);
	return !isKnown && !isRead(evidence);
}

/** Whether a record was read, and the whole body is null, an empty object or list, or blank. */
export const isMissing = (evidence: Evidence): boolean =>
	isRead(evidence) &&
	evidence.content.expected !== 'read' &&
	(hasBlankBody(evidence) || isEmpty(jsonIn(evidence.text ?? '')));

function bodyFault(answer: ToldAnswer): string {
	const { status, text, cut, expected } = answer;
	const says = (fault: string) =>
		`The service returned status ${status}, but the response ${fault}`;
	if (cut) return says(cut === 'brokenOff' ? 'broke off' : 'is too large');
	if (isWebPage(text)) return says('is a web page');
	if (isMissing(answer)) return `The service has no such record (status ${status} without data)`;
	return says(`${hasBlankBody(answer) ? 'is empty' : 'has another shape'}: expected ${expected}`);
}

const adviceReadLess =
	"Read less at once: add filters, set a 'Limit', send fewer items to this node, or lower 'Page Size' in the credential.";

/** What fits the response to a read that no documentation shows. */
function adviceOtherShape({ text = '', content }: Evidence): string {
	if (content.expected !== 'read') return "Check 'Path' and 'ID Field'. 'Get Many' reads a list.";
	const lists = Object.entries(jsonIn(text) ?? {}).filter(([, list]) => Array.isArray(list));
	const names = truncate(lists.map(([name]) => name).join(', '));
	return `Check 'Path' and 'List Field'${names && `. The response has the lists: ${names}`}.`;
}

/** The next read may get a different response. */
function adviceOnBody(evidence: Evidence): string | undefined {
	if (isPage(evidence)) return adviceBaseUrl;
	if (!isRead(evidence)) return undefined;
	if (evidence.cut) return evidence.cut === 'tooLarge' ? adviceReadLess : adviceRunLater;
	if (isMissing(evidence)) return checkIds;
	return isDocumented(evidence.operation) ? adviceRunLater : adviceOtherShape(evidence);
}

/** Where an ID, a value or a version is at fault; of any other refusal the error item says what became of the other paths. */
const adviceOnPath: Partial<Record<number, string>> = {
	400: 'Nothing was changed on this path. Correct the values, then resend this path.',
	404: "Nothing was changed on this path. Check that it is complete and has the record's ID in the service (not its number on paper), then resend it.",
	409: 'Nothing was changed on this path. If a version was given, it is out of date: resend the path with the current one.',
};

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The first rule that matches decides; where it leaves something open, the next one that matches does. A new
 * status is one more rule, in front of the rules that it is an exception from. Rules leave columns to each other because
 * what they say combines freely: thousands of different evidences give some ninety combinations of outcome,
 * repetition, code and words. A table with one complete row for each was tried, and was longer and harder to check.
 *
 * Statuses are those of RFC 9110 §15; 429 is defined in RFC 6585 §4. Only `notSent` and `refused` say that nothing was
 * changed. So they are given to named cases alone, and the last rule, which takes everything that no other rule names,
 * says `inDoubt`. The service has no idempotency key, so a request that is in doubt is only sent again where that is
 * harmless. A success with the status that the API spec names for a new record can show no worse than
 * `unreadable`; where nothing is expected, the response itself is the proof; of a bulk patch, only the reports on its
 * paths are.
 */
export const rules: readonly Rule[] = [
	{
		matches: ({ path }) => path !== undefined,
		says: ({ path, outcome, status, data }) =>
			outcome === 'refused'
				? `The service refused the path "${path}" with status ${status}`
				: `It is unclear what became of the path "${path}": the service reported ${isEmpty(data) ? 'nothing' : JSON.stringify(data)}`,
		advice: ({ status }) => adviceOnPath[status] ?? '',
	},
	{
		when: 'No connection: name not found, refused, TLS, connecting took too long',
		matches: ({ maybeSent }) => !maybeSent,
		outcome: 'notSent',
		again: every,
	},
	{
		when: 'After the request was sent, the connection broke or no response came in time',
		matches: ({ status }) => status === undefined,
		outcome: 'inDoubt',
		again: idempotent,
	},
	{
		when: '2xx with only an error body that the service has for 400 or 403',
		matches: inSuccess(({ reportedFailure }) => reportedFailure === 'definitely'),
		outcome: 'refused',
	},
	// Any program says 200 if it is told nothing else, also one that has ended before it did anything.
	{
		when: '2xx without the expected data, but with the status that the API spec names for a new record (201)',
		matches: inSuccess(
			(evidence) =>
				evidence.status === evidence.operation.successStatus &&
				(evidence.data ?? evidence.reportedFailure) === undefined &&
				!isPage(evidence),
		),
		outcome: { record: 'unreadable' },
	},
	{
		when: '2xx, but the response broke off',
		matches: inSuccess(({ cut }) => cut === 'brokenOff'),
		outcome: 'inDoubt',
		again: ['GET'],
	},
	{
		when: '2xx with `success` that is not true, `errors`, `error`, `ok` false, a `status` of a failure (of Agency Records Request, `success` false, or a body of nothing but such words); or `false` where no data is expected',
		matches: inSuccess(({ reportedFailure }) => reportedFailure === 'maybe'),
		outcome: 'inDoubt',
		says: ({ status }) => `The service returned status ${status}, but reported a failure`,
		advice: adviceOnBody,
	},
	// "Accepted" does not say that the request was or will be carried out (RFC 9110 §15.3.3).
	{
		when: '202',
		matches: isStatus(202),
		outcome: { record: 'inDoubt', nothing: 'inDoubt', path: 'inDoubt' },
		says: 'The service accepted the request, but has not carried it out yet (status 202)',
	},
	{
		when: '2xx with the expected data, and other text around it',
		matches: inSuccess(({ data, otherText }) => data !== undefined && otherText),
		outcome: { record: 'unreadable', nothing: 'inDoubt' },
		says: ({ status, data, otherText = '', redact }) =>
			`The service returned status ${status} and ${truncate(JSON.stringify(data))}, but with other text around its data: ${truncate(redact(otherText))}`,
	},
	{
		when: '2xx with the expected data',
		matches: inSuccess(({ data }) => data !== undefined),
		outcome: 'sent',
	},
	{
		when: '2xx with anything else: no body, text, a web page, incomplete JSON, JSON of another shape, not in UTF-8, or with a number beyond 2^53',
		matches: inSuccess(({ reportedFailure }) => !reportedFailure),
		outcome: 'inDoubt',
		says: bodyFault,
		advice: adviceOnBody,
	},
	// A 304 answers a condition (RFC 9110 §15.4.5), and an ETag is the only one that is ever sent.
	{
		when: '304 to an ETag that was sent, or as a report on a path',
		matches: ({ status, etag, path }) => status === 304 && (etag ?? path) !== undefined,
		outcome: 'sent',
		standIn: 'notModified',
	},
	// The earlier try may have deleted the record (RFC 9110 §9.2.2), or there never was one. What stands in front of the
	// service knows nothing of records, so a 404 counts only where the service itself says so.
	{
		when: 'A DELETE that was in doubt is repeated: 404, from the service itself',
		matches: ({ method, status, inDoubt, text = '' }) =>
			method === 'DELETE' && status === 404 && inDoubt && isServiceError(text),
		outcome: 'sent',
		standIn: 'notFound',
		hint: "Items with 'notFound': the first try may have removed the record, or the ID is wrong. Check the IDs.",
	},
	// The gateway is quoted in its own words.
	{
		matches: ({ gateway }) => gateway,
		says: ({ gateway, status }) => withCapital(gatewayMessage(gateway!, status)),
	},
	{
		when: '401 from the gateway: the subscription key was refused',
		matches: ({ gateway }) => gateway?.reason === 'key',
		outcome: 'refused',
		code: 'keyRefused',
		advice: adviceSubscriptionKey,
	},
	// Where that is a 401, the token may have ended all the same, so later requests have another one.
	{
		when: '4xx, but 407, 408, 413 and 429, with a web page, or to a write in a shape of neither the service nor its gateway (400, 401, 409, 412, 422 in any shape, but a 401 that asks for a password and a 400 to a DELETE)',
		matches: isForeign,
		outcome: 'inDoubt',
		again: ['DELETE'],
		code: 'unreadableAnswer',
		says: ({ status }) => `The service, or something in front of it, returned status ${status}`,
		advice: adviceBaseUrl,
	},
	{
		matches: ({ verdict }) => verdict === 'refusedAlone',
		says: 'The service refused this item (status 401), though it accepts the same token for others',
		advice: `${checkIds} ${askPermission}`,
	},
	// Where a report on a path has this status, the token was accepted with the request.
	{
		when: '401: the token was refused',
		matches: ({ status, path }) => status === 401 && path === undefined,
		outcome: 'refused',
		again: every,
		code: 'tokenRefused',
		says: 'Sign-in refused',
		advice: `The service refused a freshly issued token. Check 'Authorization Header' and 'Subscription Key' in the credential. If another program signs in to this account, that may end each token: run this item again later.`,
	},
	{ matches: ({ gateway }) => gateway?.reason === 'quota', code: 'quotaUsedUp' },
	{ matches: isStatus(429, 503), code: 'tooBusy' },
	{
		when: '429, 403 from the gateway: a quota is used up',
		matches: ({ status, gateway }) => status === 429 || gateway?.reason === 'quota',
		outcome: 'refused',
		again: every,
	},
	// Also 503 with `Retry-After`: what stands in front of the service answers so after it has passed a request on, as
	// Varnish does.
	{
		when: '408, any 5xx',
		matches: ({ status = 0 }) => status === 408 || (status >= 500 && status <= 599),
		outcome: 'inDoubt',
		again: idempotent,
		code: 'serviceFailed',
	},
	// Some services say with any status that a record is there.
	{
		matches: ({ status, said }) => said?.kind === 'duplicate' || isStatus(409, 412)({ status }),
		code: 'refused',
		says: ({ status }) => `The service returned status ${status}`,
		advice: ({ status, etag, said }) =>
			said.kind !== 'duplicate' && (status === 412 || etag !== undefined)
				? "The version in 'ETag' is out of date: read the record again, then run this item with its current version."
				: "If the record that is there is the one you meant, there is nothing to do; with 'Send Once', 'They Are There' settles an item in doubt. If not, correct this item, then run it again.",
	},
	{
		matches: ({ status, said }) => said?.kind === 'permissions' || status === 403,
		code: 'notPermitted',
		says: 'The account is not permitted to do this',
		advice: askPermission,
	},
	{
		matches: isStatus(404, 410),
		advice: ({ operation }) => {
			const check = isDocumented(operation) ? checkIds : "Check 'Path' of this item.";
			return operation.ids ? `${check} ${adviceBaseUrl}` : adviceBaseUrl;
		},
	},
	{
		matches: isStatus(413),
		advice: "The request is too large: send a smaller file, or lower 'Batch Size'.",
	},
	// n8n from 2.34 on shows that it is a proxy's, whatever its status, and then it is no response.
	{
		matches: isStatus(407),
		says: 'The proxy refused the connection (status 407)',
		advice: adviceProxyPassword,
	},
	{ matches: ({ said }) => said?.kind === 'fields', says: 'The service refused the values' },
	{
		matches: ({ status = 0, said }) => said?.kind === 'fields' || [400, 422].includes(status),
		code: 'valuesRefused',
		advice: ({ content, said }) =>
			content.adviceOnRefusal?.(said.lines) ?? 'Correct the values, then run this item again.',
	},
	{
		when: 'Any other 4xx',
		matches: isBetween(400, 499),
		outcome: 'refused',
		code: 'refused',
	},
	// A program that processes a form often responds with the address of the next page (RFC 9110 §15.4.4).
	{
		matches: isStatus(300, 301, 302, 303, 307, 308),
		says: ({ status }) =>
			`The service returned a redirect (status ${status}), which is never followed`,
		advice: adviceBaseUrl,
	},
	{
		when: 'Any other status: 304 to no ETag, any other 3xx, 1xx, or one that HTTP does not define',
		matches: () => true,
		outcome: 'inDoubt',
		code: 'unreadableAnswer',
		says: ({ status, retryAfter }) =>
			`The service returned status ${status}${askedWait(retryAfter)}`,
	},
];
