// Decides what any response with a success status (2xx, RFC 9110 §15.3) means: what happened to a write, whether a read
// got its data, and what to tell the user. The tables in docs/design.md are generated from these rules.
import { Failure, adviceBaseUrl, adviceLookUp, adviceRunLater, type Outcome } from '../failure';
import { maxAnswerBytes, maxRunBytes } from '../http/bodyText';
import { isWebPage, truncate } from '../http/json';
import type { Answer } from '../send/try';
import { isRead, refusalText, type FailureText } from './answerFailures';
import { serviceMessagesOf } from './serviceMessages';

/**
 * What is expected of a response: the `record` that was created, or its ID; `nothing`, or an object that the API spec
 * does not show; `reports` on each path of a bulk patch; what a `read` asked for.
 */
export type AnswerKind = 'record' | 'nothing' | 'reports' | 'read';

type Verdict = 'success' | Outcome;

/** A response with a success status, and what was found in it. */
export interface ReadAnswer extends Answer {
	/** The body says that the request failed; `definitely` if nothing can have been changed. */
	reportedFailure?: 'definitely' | 'maybe';
	/** The expected data in a few words, which may be none; undefined when the response does not hold it. */
	found?: string;
	/** What should be in the response, for a message. */
	expected: string;
	/** The text next to the JSON. */
	otherText?: string;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

function bodyFault({ text, cut, maxBytes = maxAnswerBytes }: Answer): string {
	if (cut === 'tooLarge') return `is larger than ${megabytes(maxBytes)}`;
	if (cut === 'overBudget')
		return `is too large for this run, whose responses may total ${megabytes(maxRunBytes)}`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'does not have the documented shape';
}

/** What to do about a read whose response was cut off. */
const adviceByCut: Record<NonNullable<Answer['cut']>, string> = {
	tooLarge: "Ask for less at once: lower 'Page Size' in the credential, or add filters.",
	overBudget: "Read less in one run: set a 'Limit', add filters, or send fewer items to this node.",
	brokenOff: adviceRunLater,
};

interface AnswerRule {
	/** In the words of the table in docs/design.md. */
	when: string;
	matches: (answer: ReadAnswer) => unknown;
	/** By what is expected; where it names no verdict, the next rule that matches decides. */
	verdict: Partial<Record<AnswerKind, Verdict>>;
	/** For a verdict that is not a success. */
	text?: (answer: ReadAnswer) => FailureText;
}

/** @param write the verdict on every write; a read changes nothing, so one without its data is `refused` */
const all = (write: Verdict): Record<AnswerKind, Verdict> => ({
	record: write,
	nothing: write,
	reports: write,
	read: write === 'success' ? write : 'refused',
});

/**
 * The first rule that matches decides. A record that was created exists, so its response can show no worse than `done`;
 * where nothing is expected, the response itself is the proof; of a bulk patch, only the reports on its paths are.
 */
export const answerRules: readonly AnswerRule[] = [
	{
		when: 'A response that broke off or is too large',
		matches: ({ cut }) => cut,
		verdict: { ...all('unknown'), record: 'done' },
		text: (answer) => ({
			message: `The service returned status ${answer.status}, but the response ${bodyFault(answer)}`,
			...(isRead(answer) && {
				retryable: answer.cut === 'brokenOff',
				advice: adviceByCut[answer.cut!],
			}),
		}),
	},
	{
		when: 'A web page',
		matches: ({ text }) => isWebPage(text),
		verdict: all('unknown'),
		text: (answer) => ({
			message: 'The service returned a web page instead of data',
			advice: isRead(answer) ? adviceBaseUrl : `${adviceBaseUrl} ${adviceLookUp}`,
		}),
	},
	{
		when: 'Only the error body documented for 400 or 403',
		matches: ({ reportedFailure }) => reportedFailure === 'definitely',
		verdict: all('refused'),
		text: (answer) => refusalText(answer, serviceMessagesOf(answer)),
	},
	{
		when: '`success` that is not true, `errors`, `error`, `ok` false, a `status` of a failure; or `false` where no data is expected',
		matches: ({ reportedFailure }) => reportedFailure,
		verdict: all('unknown'),
		text: (answer) => refusalText(answer, { ...serviceMessagesOf(answer), kind: 'other' }),
	},
	// "Accepted" does not say that the request was or will be carried out (RFC 9110 §15.3.3).
	{
		when: '202',
		matches: ({ status }) => status === 202,
		verdict: { record: 'unknown', nothing: 'unknown' },
		text: ({ status }) => ({
			message: `The service accepted the request, but has not carried it out yet (status ${status})`,
		}),
	},
	{
		when: 'The expected data, with other text around it',
		matches: ({ found, otherText }) => found !== undefined && otherText,
		verdict: { ...all('success'), record: 'done', nothing: 'unknown' },
		text: ({ status, found, otherText = '' }) => ({
			message: `The service returned status ${status}${found && ` and ${found}`}, but with other text around its data: ${truncate(otherText)}`,
		}),
	},
	{
		when: 'The expected data',
		matches: ({ found }) => found !== undefined,
		verdict: all('success'),
	},
	{
		when: 'Anything else: no body, text, incomplete JSON, JSON of another shape, not in UTF-8, or with a number beyond 2^53',
		matches: () => true,
		verdict: { ...all('unknown'), record: 'done' },
		text: (answer) => ({
			message: `The service returned status ${answer.status}, but the response ${bodyFault(answer)}: expected ${answer.expected}`,
		}),
	},
];

/**
 * @param expected what a write would be answered with
 * @returns the failure for a response that does not prove a success by what it holds; undefined for one that does
 */
export function failureIn(expected: AnswerKind, answer: ReadAnswer): Failure | undefined {
	const kind = isRead(answer) ? 'read' : expected;
	const { verdict, text } = answerRules.find((rule) => rule.verdict[kind] && rule.matches(answer))!;
	const outcome = verdict[kind]!;
	if (outcome === 'success') return undefined;
	const { status, tries } = answer;
	// The next read may get a different response.
	const adviceToRead = isRead(answer) ? adviceRunLater : undefined;
	const { message, advice = adviceToRead, ...details } = text!(answer);
	return new Failure(message, outcome, { status, tries, advice, ...details });
}

/** The hint, once a run, for a response that differs from the API spec and still has one meaning. */
export const deviationHints = {
	otherStatus:
		'The service returned a different success status (2xx) than documented. It was treated as a success.',
	numbersAsText: 'The service sends numbers as text; they were converted to numbers.',
	textAsNumbers:
		'The service sends numbers, true or false instead of text; they were converted to text.',
	otherLetterCase:
		'The service writes field names in a different case. The output uses the documented names.',
	listAlone: 'The service sends a list without the object around it; the list was read.',
	listByIndex: 'The service sends a list as an object with numbered fields; it was read as a list.',
	noRows:
		'The service sends null, {} or status 204 instead of an empty list; it was read as no rows.',
	noCount:
		"The service gives no row count ('totalRows'), so the list was read until a page was not full. If rows are missing, ask the service owner how many there are.",
	emptyForNothing: 'The service returned null, an empty list or true where no data is expected.',
	otherText:
		'The service writes other text around its data, such as a PHP notice; the data was read. Ask the service owner to turn it off.',
} as const;

/** An accepted difference from the API spec. */
export type Deviation = keyof typeof deviationHints;
