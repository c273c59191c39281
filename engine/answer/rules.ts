// The one table of what a response means, or that none came: what became of the item, whether the request is sent
// again, and what a person reads. The tables in docs/design.md and docs/reliability.md are made from it.
import { isDocumented, type Method } from '../area';
import { adviceBaseUrl, adviceRunLater, type FailureCode } from '../failure';
import { adviceSubscriptionKey, gatewayMessage, isServiceError } from '../http/gatewayAnswer';
import { isEmpty, isWebPage, jsonIn, truncate } from '../http/json';
import { askedWait } from '../http/retryAfter';
import { adviceProxyPassword } from '../http/transportError';
import type { Outcome } from '../outcome';
import { expectedOf, type Answer, type Evidence, type Expected } from './evidence';
import type { ServiceMessages } from './serviceMessages';

/** What stands in the output for the data of a response that is a success without it. */
export type StandIn = 'notModified' | 'notFound';

/** A response about which a person is told. */
export interface ToldAnswer extends Answer {
	/** What the service itself says of a failure. */
	said: ServiceMessages;
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

const checkToken = "Check 'Authorization Header' and 'Subscription Key' in the credential.";
const checkIds = 'Check the IDs of this item.';
const askPermission = "Ask the service owner to allow it, or use another account's credential.";

type Status = Pick<Evidence, 'status'>;

const isStatus =
	(...statuses: number[]) =>
	({ status = 0 }: Status): boolean =>
		statuses.includes(status);

const isBetween =
	(low: number, high: number) =>
	({ status = 0 }: Status): boolean =>
		status >= low && status <= high;

export const isSuccess = isBetween(200, 299);

const inSuccess = (matches: Rule['matches']) => (evidence: Evidence) =>
	isSuccess(evidence) && matches(evidence);

export const isRead = (evidence: Evidence): boolean => expectedOf(evidence) === 'read';

const isPage = ({ text = '' }: Evidence): boolean => isWebPage(text);

/** Whether the body is an error in the shape of the service or of its gateway, which nothing else writes. */
const hasKnownShape = ({ gateway, text = '' }: Evidence): boolean =>
	gateway !== undefined || isServiceError(text);

/** The next read may get a different response. */
const laterIfRead = (evidence: Evidence) => (isRead(evidence) ? adviceRunLater : undefined);

function bodyFault({ text, cut, expected }: ToldAnswer): string {
	if (cut) return cut === 'brokenOff' ? 'broke off' : 'is too large';
	const fault = text.trim() === '' ? 'is empty' : 'has another shape';
	return `${fault}: expected ${expected}`;
}

/** Whether the whole body is null, an empty object or list, or blank. */
const isNothing = ({ text = '', cut }: Evidence): boolean =>
	!cut && (text.trim() === '' || isEmpty(jsonIn(text)));

const adviceReadLess =
	"Read less at once: add filters, set a 'Limit', send fewer items to this node, or lower 'Page Size' in the credential.";

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The first rule that matches decides; where it leaves something open, the next one that matches does. A new
 * status is one more rule, in front of the rules that it is an exception from.
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
				(evidence.found ?? evidence.reportedFailure) === undefined &&
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
		when: '2xx, but the response is too large',
		matches: inSuccess(({ cut }) => cut),
		outcome: 'inDoubt',
		advice: (evidence) => (isRead(evidence) ? adviceReadLess : undefined),
	},
	{
		when: '2xx with a web page',
		matches: inSuccess(isPage),
		outcome: 'inDoubt',
		says: 'The service returned a web page instead of data',
		advice: adviceBaseUrl,
	},
	{
		when: '2xx with `success` that is not true, `errors`, `error`, `ok` false, a `status` of a failure (of Agency Records Request, `success` false, or a body of nothing but such words); or `false` where no data is expected',
		matches: inSuccess(({ reportedFailure }) => reportedFailure === 'maybe'),
		outcome: 'inDoubt',
		says: ({ status }) => `The service returned status ${status}, but reported a failure`,
		advice: laterIfRead,
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
		matches: inSuccess(({ found, otherText }) => found !== undefined && otherText),
		outcome: { record: 'unreadable', nothing: 'inDoubt' },
		says: ({ status, found, otherText = '' }) =>
			`The service returned status ${status}${found && ` and ${found}`}, but with other text around its data: ${truncate(otherText)}`,
	},
	{
		when: '2xx with the record of a file, but another size of it than was sent',
		matches: inSuccess(({ otherSize }) => otherSize !== undefined),
		outcome: { record: 'unreadable' },
		says: ({ status, found, otherSize, sentBytes }) =>
			`The service returned status ${status} and ${found}, but has ${otherSize} of the file's ${sentBytes} bytes`,
	},
	{
		when: '2xx with the expected data',
		matches: inSuccess(({ found }) => found !== undefined),
		outcome: 'sent',
	},
	{
		matches: inSuccess(
			(evidence) => isRead(evidence) && evidence.operation.kind !== 'list' && isNothing(evidence),
		),
		code: 'refused',
		says: ({ status }) => `The service has no such record (status ${status} without data)`,
		advice: checkIds,
	},
	{
		when: '2xx with anything else: no body, text, incomplete JSON, JSON of another shape, not in UTF-8, or with a number beyond 2^53',
		matches: inSuccess(({ reportedFailure }) => !reportedFailure),
		outcome: 'inDoubt',
		says: (answer) =>
			`The service returned status ${answer.status}, but the response ${bodyFault(answer)}`,
		advice: laterIfRead,
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
	// What stands in front of the service asks so, also in place of a response that it did not get. The token may have ended
	// all the same, so later requests have another one.
	{
		when: '401 to a write, with a web page or asking for a password (Basic, Digest, Negotiate)',
		matches: (evidence) =>
			evidence.status === 401 &&
			!isRead(evidence) &&
			(isPage(evidence) || (evidence.asksForPassword && !hasKnownShape(evidence))),
		outcome: 'inDoubt',
		again: ['DELETE'],
		code: 'unreadableAnswer',
		says: 'Something in front of the service asks for a user name and password (status 401)',
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
		advice: `The service refused a freshly issued token. ${checkToken} If another program signs in to this account, that may end each token: run this item again later.`,
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
	// A proxy gives such a page for a response of the service that it did not get, or does not pass on: nginx 404 or 405
	// for an error page of its own, ModSecurity 403. What is too large (413), or is not let into the proxy (407), was not
	// passed on.
	{
		when: 'Any other 4xx with a web page, but 407 and 413',
		matches: (evidence) =>
			isBetween(400, 499)(evidence) && !isStatus(407, 413)(evidence) && isPage(evidence),
		outcome: 'inDoubt',
		again: ['DELETE'],
		code: 'unreadableAnswer',
		says: ({ status }) => `The service returned a web page (status ${status})`,
		advice: adviceBaseUrl,
	},
	// A server that nginx asks in place of one that did not respond, or a firewall's text without a page. With 400, 409, 412
	// and 422 what was sent is judged; but a DELETE sends nothing, and Fastify says 400 to each with a Content-Type.
	{
		when: 'Any other 4xx to a write in neither the shape of the service nor that of its gateway, but 407, 409, 412, 413, 422, and 400 to anything but a DELETE',
		matches: (evidence) =>
			isBetween(400, 499)(evidence) &&
			!isStatus(407, 408, 409, 412, 413, 422, 429)(evidence) &&
			(evidence.status !== 400 || evidence.method === 'DELETE') &&
			evidence.path === undefined &&
			!isRead(evidence) &&
			!hasKnownShape(evidence),
		outcome: 'inDoubt',
		again: ['DELETE'],
		code: 'unreadableAnswer',
		says: ({ status }) => `The service, or something in front of it, returned status ${status}`,
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
		matches: isStatus(409, 412),
		advice: ({ status, etag }) =>
			status === 412 || etag !== undefined
				? "The version in 'ETag' is out of date: read the record again, then run this item with its current version."
				: 'If the record that is there is the one you meant, there is nothing to do. If not, correct this item, then run it again.',
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
		advice: 'Correct the values named above, then run this item again.',
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
