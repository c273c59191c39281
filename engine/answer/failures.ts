// An answer that does not hold what it should → the failure the user reads.
import { Failure, adviceRunLater, adviceLookUp } from '../failure';
import { isWebPage, type JsonObject } from '../http/json';
import { maxAnswerBytes, maxRunBytes } from '../http/bodyText';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';
import { isRefusal } from './evidence';
import { serviceMessagesOf, type ServiceMessages } from './serviceMessages';

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
		'It conflicts with a record in the service: look the record up, correct this item, then run it again.',
	],
	[(status) => status < 400, checkBaseUrl],
];

function refusalMessage(status: number, kind: ServiceMessages['kind'], said: string): string {
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
export function refusedByStatus(answer: Answer): Failure {
	const { method, status, evidence, tries, whyTokenEnded } = answer;
	const { lines, kind } = serviceMessagesOf(answer);
	const outcome = outcomeOf(method, evidence);
	// Where tokens are refused one after the other, only the credential helps, or the end of the other sign-ins.
	const retryable = status === 401 ? whyTokenEnded !== undefined : isRetryable(method, evidence);
	const ofStatus = adviceByStatus.find(([is]) => is(status))?.[1];
	const later = whyTokenEnded ? `${whyTokenEnded} ${adviceRunLater}` : adviceRunLater;
	return new Failure(
		refusalMessage(status, kind, lines.length > 0 ? `: ${lines.join('; ')}` : ''),
		outcome,
		{
			status,
			serviceWords: lines,
			advice: outcome === 'unknown' ? adviceLookUp : retryable ? later : ofStatus,
			retryable,
			tries,
		},
	);
}

const adviceByKind: Record<ServiceMessages['kind'], string> = {
	fields: correctValues,
	permissions: askPermission,
	text: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
};

/**
 * A success by its status, a failure by its body. Only a body that is positively a refusal tells that
 * nothing was changed.
 * @param body of the answer
 */
export function refusedByBody(answer: Answer, body: JsonObject): Failure {
	const { method, status, tries } = answer;
	const { lines, kind } = serviceMessagesOf(answer);
	const said = `: ${lines.join('; ')}`;
	const isRefused = isRefusal(body);
	const isRead = method === 'GET';
	const message =
		isRefused && kind !== 'text'
			? refusalMessage(status, kind, said)
			: `The service answered with status ${status}, but says that it failed${said}`;
	const advice = isRefused ? adviceByKind[kind] : isRead ? adviceRunLater : adviceLookUp;
	const outcome = isRefused || isRead ? 'refused' : 'unknown';
	return new Failure(message, outcome, { status, serviceWords: lines, advice, tries });
}

/** A 304 answers a condition (RFC 9110 §15.4.5), and the only one that is sent is the ETag. */
export function unexpectedNotModified({ method, status, tries }: Answer): Failure {
	const isRead = method === 'GET';
	return new Failure(
		`The service answered that the record was not modified (status ${status}), but no ETag was sent`,
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : adviceLookUp },
	);
}

/** @throws Failure when a proxy or a wrong address answered in the service's place */
export function refuseWebPage({ method, status, text, tries }: Answer): void {
	if (!isWebPage(text)) return;
	const isRead = method === 'GET';
	throw new Failure(
		'The service answered with a web page instead of data',
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : `${checkBaseUrl} ${adviceLookUp}` },
	);
}

/** What the status of an accepted write alone says of its record. */
export type AcceptedOutcome = 'done' | 'unknown';

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

function faultOf({ text, cut, limit = maxAnswerBytes }: Answer): string {
	if (cut === 'tooLarge') return `is larger than ${megabytes(limit)}`;
	if (cut === 'overBudget')
		return `is too large for this run: all its answers together may have ${megabytes(maxRunBytes)}`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'does not have the shape that the interface shows';
}

const adviceByAccepted: Record<AcceptedOutcome, string> = {
	done: 'The service accepted the request: look the record up before sending it again.',
	unknown: adviceLookUp,
};

/** What to do about a read whose answer is too large. */
const adviceByCut: Partial<Record<NonNullable<Answer['cut']>, string>> = {
	tooLarge: "Ask for less at once: lower 'Page Size', or add filters.",
	overBudget: "Read less in one run: set a 'Limit', add filters, or send fewer items to this node.",
};

/**
 * A success by its status, whose body does not hold what it should.
 * @param expected what the body should have held
 * @param accepted `done` unless said otherwise: a record that was created exists
 */
export function unreadableAnswer(
	answer: Answer,
	expected?: string,
	accepted: AcceptedOutcome = 'done',
): Failure {
	const { method, status, cut, tries } = answer;
	const message = `The service answered with status ${status}, but the answer ${faultOf(answer)}${expected ? `: expected ${expected}` : ''}`;
	const isRead = method === 'GET';
	const advice = isRead
		? ((cut && adviceByCut[cut]) ?? adviceRunLater)
		: adviceByAccepted[accepted];
	return new Failure(message, isRead ? 'refused' : accepted, {
		status,
		tries,
		advice,
		retryable: isRead && cut === 'brokenOff',
	});
}
