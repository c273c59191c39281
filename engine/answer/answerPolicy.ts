// Decides what any response with a success status (2xx, RFC 9110 §15.3) means: what happened to a write, whether a read got
// its data, and what to tell the user. The tables in docs/design.md are generated from these rules.
import { Failure, adviceBaseUrl, adviceLookUp, adviceRunLater, type Outcome } from '../failure';
import { maxAnswerBytes, maxRunBytes } from '../http/bodyText';
import { isWebPage, truncate } from '../http/json';
import type { Answer } from '../send/exchange';
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
		return `is too large for this run: all its answers together may have ${megabytes(maxRunBytes)}`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'does not have the shape that the interface shows';
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
		when: 'An answer that broke off, or is too large',
		matches: ({ cut }) => cut,
		verdict: { ...all('unknown'), record: 'done' },
		text: (answer) => ({
			message: `The service answered with status ${answer.status}, but the answer ${bodyFault(answer)}`,
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
			message: 'The service answered with a web page instead of data',
			advice: isRead(answer) ? adviceBaseUrl : `${adviceBaseUrl} ${adviceLookUp}`,
		}),
	},
	{
		when: 'Nothing but an error body that the interface lists for 400, 401 or 403, or a problem with a status that refuses',
		matches: ({ reportedFailure }) => reportedFailure === 'definitely',
		verdict: all('refused'),
		text: (answer) => refusalText(answer, serviceMessagesOf(answer)),
	},
	{
		when: '`success` that is not true, `errors`, `error`, `ok` false, a `status` of a failure; or `false` where nothing is due',
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
		when: 'What is due, but other text stands beside it',
		matches: ({ found, otherText }) => found !== undefined && otherText,
		verdict: { ...all('success'), record: 'done', nothing: 'unknown' },
		text: ({ status, found, otherText = '' }) => ({
			message: `The service answered with status ${status}${found && ` and ${found}`}, but wrote other text beside its data: ${truncate(otherText)}`,
		}),
	},
	{
		when: 'What is due',
		matches: ({ found }) => found !== undefined,
		verdict: all('success'),
	},
	{
		when: 'Anything else: no body, text, half a JSON, JSON of another shape',
		matches: () => true,
		verdict: { ...all('unknown'), record: 'done' },
		text: (answer) => ({
			message: `The service answered with status ${answer.status}, but the answer ${bodyFault(answer)}: expected ${answer.expected}`,
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

/**
 * The hint, once a run, for a response that differs from the API spec and still has one meaning. The list in
 * docs/design.md is generated from these.
 */
export const deviationHints = {
	otherStatus:
		'The service answered with another status of success (2xx) than its description says. It was taken as a success.',
	numbersAsText: 'The service sends numbers as text; they were turned into numbers.',
	textAsNumbers:
		'The service sends numbers, or true and false, where text is due; they were turned into text.',
	otherLetterCase:
		'The service writes the names of fields in another letter case. The output has the names of its description.',
	wrapped: "The service puts its data inside 'data' or 'result'; it was taken out of there.",
	listAlone: 'The service sends a list without the object around it; the list was read.',
	listByIndex:
		'The service sends an object with numbers as names for a list; it was read as a list.',
	noRows:
		'The service says in its own way that there are no rows: null, {} or status 204 for an empty list.',
	noCount:
		"The service does not say how many rows there are ('totalRows'). The list was read until a page was not full. If rows are missing, ask the service's owner how many there are.",
	emptyForNothing: 'The service answered null, an empty list or true where nothing is due.',
	otherText:
		"The service writes other text beside its data, such as a notice of PHP; the data was read. Ask the service's owner to turn it off.",
	notUtf8:
		"The service sends text that is not UTF-8; it was read as Windows-1252. If letters look wrong, ask the service's owner for the charset.",
} as const;

/** An accepted difference from the API spec. */
export type Deviation = keyof typeof deviationHints;
