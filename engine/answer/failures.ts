// An answer that does not hold what it should → the failure the user reads.
import { Failure, laterAgain, mayExist } from '../failure';
import { isWebPage, type JsonObject } from '../http/json';
import { maxAnswer } from '../http/text';
import type { Answer } from '../send/attempt';
import { isRetryable, outcomeOf } from '../send/policy';
import { isRefusal } from './evidence';
import { wordsOf, type Words } from './words';

const checkBaseUrl = "Check 'Base URL' in the credential.";

const correctValues = 'Correct the values named above, then run this item again.';
const askPermission =
	"Ask the service's owner to permit it, or use the credential of another account.";

/** What to do about a status; the first that fits counts. */
const adviceByStatus: ReadonlyArray<[is: (status: number) => boolean, advice: string]> = [
	[(status) => status === 400, correctValues],
	[
		(status) => status === 401,
		"The service did not accept a freshly obtained token. Check 'Authorization Header' and 'Subscription Key' in the credential.",
	],
	[(status) => status === 403, askPermission],
	[(status) => status === 404, `Check the IDs of this item. ${checkBaseUrl}`],
	[
		(status) => status === 409,
		'It conflicts with what the service already holds: look the record up, correct this item, then run it again.',
	],
	[(status) => status < 400, checkBaseUrl],
];

function messageOf(status: number, kind: Words['kind'], said: string): string {
	if (kind === 'fields') return `The service refused the values${said}`;
	if (status === 401) return `Sign-in refused${said}`;
	if (kind === 'permissions' || status === 403) {
		return `The account is not permitted to do this${said}`;
	}
	if (status >= 300 && status < 400) {
		return `The service answered with a redirect (status ${status}), which is never followed`;
	}
	return `The service answered with status ${status}${said}`;
}

/** The service, or what answers in its place, did not accept the request. */
export function refusal({ method, status, reached, text, tries }: Answer): Failure {
	const { lines, kind } = wordsOf(text);
	const outcome = outcomeOf(method, reached);
	const retryable = isRetryable(method, reached);
	const ofStatus = adviceByStatus.find(([is]) => is(status))?.[1];
	return new Failure(
		messageOf(status, kind, lines.length > 0 ? `: ${lines.join('; ')}` : ''),
		outcome,
		{
			status,
			said: lines,
			advice: outcome === 'unknown' ? mayExist : retryable ? laterAgain : ofStatus,
			retryable,
			tries,
		},
	);
}

const adviceByKind: Record<Words['kind'], string> = {
	fields: correctValues,
	permissions: askPermission,
	text: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
};

/**
 * A success by its status, a failure by its body. Only a body that is positively a refusal tells that
 * nothing was changed.
 * @param body of the answer
 */
export function saidNo({ method, status, text, tries }: Answer, body: JsonObject): Failure {
	const { lines, kind } = wordsOf(text);
	const said = `: ${lines.join('; ')}`;
	const isRefused = isRefusal(body);
	const isRead = method === 'GET';
	const message =
		isRefused && kind !== 'text'
			? messageOf(status, kind, said)
			: `The service answered with status ${status}, but says that it failed${said}`;
	const advice = isRefused ? adviceByKind[kind] : isRead ? laterAgain : mayExist;
	const outcome = isRefused || isRead ? 'refused' : 'unknown';
	return new Failure(message, outcome, { status, said: lines, advice, tries });
}

/** A 304 answers a condition (RFC 9110 §15.4.5), and the only one that is sent is the ETag. */
export function notAsked({ method, status, tries }: Answer): Failure {
	const isRead = method === 'GET';
	return new Failure(
		`The service answered that the record was not modified (status ${status}), but no ETag was sent`,
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : mayExist },
	);
}

/** @throws Failure when a proxy or a wrong address answered in the service's place */
export function refuseWebPage({ method, status, text, tries }: Answer): void {
	if (!isWebPage(text)) return;
	const isRead = method === 'GET';
	throw new Failure(
		'The service answered with a web page instead of data',
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : `${checkBaseUrl} ${mayExist}` },
	);
}

/** What the status of an accepted write alone says of its record. */
export type Accepted = 'done' | 'unknown';

interface Unread {
	/** `done` unless said otherwise: a record that was created exists. */
	accepted?: Accepted;
	/** Bytes the body may have. */
	limit?: number;
}

function faultOf({ text, cut }: Answer, limit: number): string {
	if (cut === 'tooLarge') return `is larger than ${limit / 1024 / 1024} MB`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'is not what it should be';
}

const adviceByAccepted: Record<Accepted, string> = {
	done: 'The service accepted the request: look the record up before sending it again.',
	unknown: mayExist,
};

/**
 * A success by its status, whose body does not hold what it should.
 * @param expected what the body should have held
 */
export function unreadable(
	answer: Answer,
	expected?: string,
	{ accepted = 'done', limit = maxAnswer }: Unread = {},
): Failure {
	const { method, status, cut, tries } = answer;
	const message = `The service answered with status ${status}, but the answer ${faultOf(answer, limit)}${expected ? `: expected ${expected}` : ''}`;
	const isRead = method === 'GET';
	const advice =
		cut === 'tooLarge' && limit === maxAnswer && isRead
			? "Ask for less at once: lower 'Page Size', or add filters."
			: isRead
				? laterAgain
				: adviceByAccepted[accepted];
	return new Failure(message, isRead ? 'refused' : accepted, {
		status,
		tries,
		advice,
		retryable: isRead && cut === 'brokenOff',
	});
}
