// Makes the failure that the user reads from an answer that does not hold what it should.
import {
	Failure,
	adviceBaseUrl,
	adviceRunLater,
	adviceLookUp,
	type FailureCode,
	type FailureDetails,
	type Outcome,
} from '../failure';
import { shortened } from '../http/json';
import { maxAnswerBytes, maxRunBytes } from '../http/bodyText';
import {
	adviceByGatewayReason,
	gatewayMessage,
	type GatewayAnswer,
	type GatewayReason,
} from '../http/gatewayAnswer';
import type { Answer } from '../send/sendTypes';
import { isRetryable, outcomeOf } from '../send/retryPolicy';
import type { Fault, AnswerVerdict } from './answerPolicy';
import { serviceMessagesOf, type ServiceMessages } from './serviceMessages';

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
	[(status) => status === 404, `Check the IDs of this item. ${adviceBaseUrl}`],
	[
		(status) => status === 409,
		'It conflicts with a record in the service: look the record up, correct this item, then run it again.',
	],
	[(status) => status < 400, adviceBaseUrl],
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

const reasonText = (lines: readonly string[]): string =>
	lines.length > 0 ? `: ${lines.join('; ')}` : '';

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What differs from the code that follows from the status. */
const codesByGatewayReason: Partial<Record<GatewayReason, FailureCode>> = {
	key: 'keyRefused',
	quota: 'quotaUsedUp',
};

/** The failure for what the gateway before the service answered in its place. */
function refusedByGateway(answer: Answer, gateway: GatewayAnswer): Failure {
	const { method, status, evidence, tries, redact = (words) => words } = answer;
	const { reason } = gateway;
	const words = redact(gateway.words);
	const outcome = outcomeOf(method, evidence);
	const retryable = isRetryable(method, evidence);
	const adviceForStatus = adviceByStatus.find(([applies]) => applies(status))?.[1];
	const advice = retryable ? adviceRunLater : (adviceByGatewayReason[reason] ?? adviceForStatus);
	return new Failure(withCapital(gatewayMessage({ ...gateway, words }, status)), outcome, {
		...(codesByGatewayReason[reason] && { code: codesByGatewayReason[reason] }),
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
			`The service refused this item (status 401), though it accepts the same token for others${reasonText(lines)}`,
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
	return new Failure(refusalMessage(status, kind, reasonText(lines)), outcome, {
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
 * The failure for a 304 to a request without an ETag: a 304 answers a condition (RFC 9110 §15.4.5), and the ETag is the
 * only one that is ever sent.
 */
export function unexpectedNotModified({ method, status, tries }: Answer): Failure {
	const isRead = method === 'GET';
	return new Failure(
		`The service answered that the record was not modified (status ${status}), but no ETag was sent`,
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? adviceBaseUrl : adviceLookUp },
	);
}

/** What an answer holds, as far as its failure tells of it. */
interface FoundContents {
	/** What it should have held. */
	expected?: string;
	/** The text before its JSON. */
	textBefore?: string;
	/** What is due, in a few words, where it was found. */
	data?: string;
}

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

function faultOfBody({ text, cut, maxBytes = maxAnswerBytes }: Answer): string {
	if (cut === 'tooLarge') return `is larger than ${megabytes(maxBytes)}`;
	if (cut === 'overBudget')
		return `is too large for this run: all its answers together may have ${megabytes(maxRunBytes)}`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'does not have the shape that the interface shows';
}

/** What to do about a read whose answer is too large; a connection that broke has no advice of its own. */
const adviceByCut: Partial<Record<NonNullable<Answer['cut']>, string>> = {
	tooLarge: "Ask for less at once: lower 'Page Size' in the credential, or add filters.",
	overBudget: "Read less in one run: set a 'Limit', add filters, or send fewer items to this node.",
};

const adviceByOutcome: Record<Outcome, string> = {
	done: 'The service accepted the request: look the record up before sending it again.',
	unknown: adviceLookUp,
	refused: adviceRunLater,
	notSent: adviceRunLater,
};

/** What a person reads of a fault; the advice is that of the outcome, where it has none of its own. */
type Words = { message: string } & Pick<FailureDetails, 'advice' | 'serviceWords' | 'retryable'>;

const isRead = ({ method }: Answer): boolean => method === 'GET';

/** A body that says that the request failed. */
function refusalInWords(answer: Answer, isCertain: boolean): Words {
	const { status } = answer;
	const { lines, kind } = serviceMessagesOf(answer);
	const reason = `: ${lines.join('; ')}`;
	return {
		message:
			isCertain && kind !== 'text'
				? refusalMessage(status, kind, reason)
				: `The service answered with status ${status}, but says that it failed${reason}`,
		serviceWords: lines,
		...(isCertain && { advice: adviceByKind[kind] }),
	};
}

const wordsByFault: Record<Fault, (answer: Answer, found: FoundContents) => Words> = {
	cut: (answer) => ({
		message: `The service answered with status ${answer.status}, but the answer ${faultOfBody(answer)}`,
		...(isRead(answer) && {
			retryable: answer.cut === 'brokenOff',
			...(answer.cut && { advice: adviceByCut[answer.cut] }),
		}),
	}),
	webPage: (answer) => ({
		message: 'The service answered with a web page instead of data',
		advice: isRead(answer) ? adviceBaseUrl : `${adviceBaseUrl} ${adviceLookUp}`,
	}),
	refusal: (answer) => refusalInWords(answer, true),
	failure: (answer) => refusalInWords(answer, false),
	onlyAccepted: ({ status }) => ({
		message: `The service accepted the request, but has not carried it out yet (status ${status})`,
	}),
	textBefore: ({ status }, { data, textBefore = '' }) => ({
		message: `The service answered with status ${status}${data === undefined ? '' : ` and ${data}`}, but wrote other text before its data: ${shortened(textBefore)}`,
	}),
	otherShape: (answer, { expected }) => ({
		message: `The service answered with status ${answer.status}, but the answer ${faultOfBody(answer)}: expected ${expected}`,
	}),
};

/** The failure for an answer that is a success by its status, but not by what it holds. */
export function failureOf(
	answer: Answer,
	{ outcome, fault }: AnswerVerdict,
	found: FoundContents = {},
): Failure {
	const { status, tries } = answer;
	const {
		message,
		advice = adviceByOutcome[outcome],
		...others
	} = wordsByFault[fault](answer, found);
	return new Failure(message, outcome, { status, tries, advice, ...others });
}
