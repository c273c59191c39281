// Makes the failure that the user reads from an answer that does not hold what it should.
import { Failure, adviceRunLater, adviceLookUp } from '../failure';
import { isWebPage, type JsonObject } from '../http/json';
import { maxAnswerBytes, maxRunBytes } from '../http/bodyText';
import { adviceByGatewayReason, gatewayMessage, type GatewayAnswer } from '../http/gatewayAnswer';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';
import { isRefusal } from './bodyEvidence';
import { serviceMessagesOf, type ServiceMessages } from './serviceMessages';

const checkBaseUrl = "Check 'Base URL' in the credential.";

const correctValues = 'Correct the values named above, then run this item again.';
const askPermission =
	"Ask the service's owner to permit it, or use the credential of another account.";

/** What to do about a status; the first entry that applies counts. */
const adviceByStatus: ReadonlyArray<[applies: (status: number) => boolean, advice: string]> = [
	[(status) => status === 400, correctValues],
	[
		(status) => status === 413,
		"The request is larger than is allowed: send a smaller file, or lower 'Batch Size'.",
	],
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

function refusalMessage(status: number, kind: ServiceMessages['kind'], reason: string): string {
	if (kind === 'fields') return `The service refused the values${reason}`;
	if (status === 401) return `Sign-in refused${reason}`;
	if (kind === 'permissions' || status === 403) {
		return `The account is not permitted to do this${reason}`;
	}
	if (status >= 300 && status < 400) {
		return `The service answered with a redirect (status ${status}), which is never followed`;
	}
	return `The service answered with status ${status}${reason}`;
}

const reasonOf = (lines: readonly string[]): string =>
	lines.length > 0 ? `: ${lines.join('; ')}` : '';

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The failure for what the gateway before the service answered in its place. */
function refusedByGateway(answer: Answer, gateway: GatewayAnswer): Failure {
	const { method, status, evidence, tries, redact = (words) => words } = answer;
	const { reason } = gateway;
	const words = redact(gateway.words);
	const outcome = outcomeOf(method, evidence);
	const retryable = isRetryable(method, evidence);
	const adviceForStatus = adviceByStatus.find(([applies]) => applies(status))?.[1];
	const advice = retryable ? adviceRunLater : (adviceByGatewayReason[reason] ?? adviceForStatus);
	return new Failure(capitalized(gatewayMessage({ ...gateway, words }, status)), outcome, {
		status,
		serviceWords: words === '' ? [] : [words],
		advice: outcome === 'unknown' ? adviceLookUp : advice,
		retryable,
		tries,
		endsRun: reason === 'key',
	});
}

/** The failure for a status that is no success: the service, or what answers in its place, refused the request. */
export function refusedByStatus(answer: Answer): Failure {
	const { method, status, evidence, tries, gateway, isOfRequestAlone, whyTokenEnded } = answer;
	if (gateway) return refusedByGateway(answer, gateway);
	const { lines, kind } = serviceMessagesOf(answer);
	if (isOfRequestAlone) {
		return new Failure(
			`The service refused this item (status 401), though it accepts the same token for others${reasonOf(lines)}`,
			outcomeOf(method, evidence),
			{
				status,
				serviceWords: lines,
				advice: `Check the IDs of this item. ${askPermission}`,
				tries,
			},
		);
	}
	const outcome = outcomeOf(method, evidence);
	// When one token after the other is refused, the item can succeed later only if another sign-in ended them: if not,
	// the credential has to be corrected.
	const retryable = status === 401 ? whyTokenEnded !== undefined : isRetryable(method, evidence);
	const adviceForStatus = adviceByStatus.find(([applies]) => applies(status))?.[1];
	const adviceLater = whyTokenEnded ? `${whyTokenEnded} ${adviceRunLater}` : adviceRunLater;
	return new Failure(refusalMessage(status, kind, reasonOf(lines)), outcome, {
		status,
		serviceWords: lines,
		advice: outcome === 'unknown' ? adviceLookUp : retryable ? adviceLater : adviceForStatus,
		retryable,
		tries,
	});
}

const adviceByKind: Record<ServiceMessages['kind'], string> = {
	fields: correctValues,
	permissions: askPermission,
	text: "Check 'Authorization Header' and 'Subscription Key' in the credential.",
};

/**
 * The failure for an answer that is a success by its status, but whose body says that the request failed. Only a body
 * that is certainly a refusal proves that nothing was changed.
 * @param body the body of the answer
 */
export function refusedByBody(answer: Answer, body: JsonObject): Failure {
	const { method, status, tries } = answer;
	const { lines, kind } = serviceMessagesOf(answer);
	const reason = `: ${lines.join('; ')}`;
	const isRefused = isRefusal(body);
	const isRead = method === 'GET';
	const message =
		isRefused && kind !== 'text'
			? refusalMessage(status, kind, reason)
			: `The service answered with status ${status}, but says that it failed${reason}`;
	const advice = isRefused ? adviceByKind[kind] : isRead ? adviceRunLater : adviceLookUp;
	const outcome = isRefused || isRead ? 'refused' : 'unknown';
	return new Failure(message, outcome, { status, serviceWords: lines, advice, tries });
}

/**
 * The failure for a 304 to a request without an ETag: a 304 answers a condition (RFC 9110 §15.4.5), and the ETag is the
 * only one that is ever sent.
 */
export function unexpectedNotModified({ method, status, tries }: Answer): Failure {
	const isRead = method === 'GET';
	return new Failure(
		`The service answered that the record was not modified (status ${status}), but no ETag was sent`,
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : adviceLookUp },
	);
}

/** @throws Failure for a web page, with which a proxy or a wrong address answers in the service's place */
export function refuseWebPage({ method, status, text, tries }: Answer): void {
	if (!isWebPage(text)) return;
	const isRead = method === 'GET';
	throw new Failure(
		'The service answered with a web page instead of data',
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : `${checkBaseUrl} ${adviceLookUp}` },
	);
}

/** The outcome of a write whose status is a success, but whose body cannot be read. */
export type AcceptedOutcome = 'done' | 'unknown';

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

function faultInWords({ text, cut, maxBytes = maxAnswerBytes }: Answer): string {
	if (cut === 'tooLarge') return `is larger than ${megabytes(maxBytes)}`;
	if (cut === 'overBudget')
		return `is too large for this run: all its answers together may have ${megabytes(maxRunBytes)}`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'does not have the shape that the interface shows';
}

const adviceByAccepted: Record<AcceptedOutcome, string> = {
	done: 'The service accepted the request: look the record up before sending it again.',
	unknown: adviceLookUp,
};

/** What to do about a read whose answer is too large; a connection that broke has no advice of its own. */
const adviceByCut: Partial<Record<NonNullable<Answer['cut']>, string>> = {
	tooLarge: "Ask for less at once: lower 'Page Size', or add filters.",
	overBudget: "Read less in one run: set a 'Limit', add filters, or send fewer items to this node.",
};

/**
 * The failure for an answer that is a success by its status, but whose body does not hold what it should.
 * @param expected what the body should have held
 * @param accepted the outcome of a write; `done` unless the caller knows less, since a record that was created exists
 */
export function unreadableAnswer(
	answer: Answer,
	expected?: string,
	accepted: AcceptedOutcome = 'done',
): Failure {
	const { method, status, cut, tries } = answer;
	const message = `The service answered with status ${status}, but the answer ${faultInWords(answer)}${expected ? `: expected ${expected}` : ''}`;
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
