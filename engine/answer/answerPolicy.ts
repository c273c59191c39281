// Decides what an answer with a status of success (2xx) means, whichever of them it is (RFC 9110 §15.3): what became of
// a write, whether a read has its data, and what a person is told. The tables in docs/design.md are made from these rules.
import { isWriting, type Operation } from '../area';
import { Failure, adviceBaseUrl, adviceLookUp, adviceRunLater, type Outcome } from '../failure';
import { maxAnswerBytes, maxRunBytes } from '../http/bodyText';
import { shortened } from '../http/json';
import type { Answer } from '../send/sendTypes';
import { adviceByKind, isRead, refusalMessage, type Words } from './answerFailures';
import { serviceMessagesOf } from './serviceMessages';

/**
 * What an operation is to be answered with: the `record` that was created, or its ID; `nothing`, or an object that the
 * interface does not show; `reports` on each path of a bulk patch; what a `read` asked for.
 */
export type AnswerKind = 'record' | 'nothing' | 'reports' | 'read';

type Verdict = 'success' | Outcome;

function answerKindOf(operation: Operation): AnswerKind {
	if (!isWriting(operation)) return 'read';
	if (operation.kind === 'bulk') return 'reports';
	return operation.kind === 'empty' ? 'nothing' : 'record';
}

/** What was found in an answer whose status is a success. */
export interface AnswerContents {
	status: number;
	/** Not all of the answer came, or was read. */
	isCut?: boolean;
	/** The body is a web page. */
	isWebPage?: boolean;
	/** The body says that the request failed; `certainly` if nothing can have been changed. */
	saysNo?: 'certainly' | 'perhaps';
	/** The answer holds what is due. */
	isDue?: boolean;
	/** The same in a few words. */
	dueInWords?: string;
	/** What should be in the answer, in words. */
	expected?: string;
	/** The other text that stands beside the JSON. */
	otherText?: string;
}

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

function faultOfBody({ text, cut, maxBytes = maxAnswerBytes }: Answer): string {
	if (cut === 'tooLarge') return `is larger than ${megabytes(maxBytes)}`;
	if (cut === 'overBudget')
		return `is too large for this run: all its answers together may have ${megabytes(maxRunBytes)}`;
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'does not have the shape that the interface shows';
}

/** What to do about a read whose answer was cut. */
const adviceByCut: Record<NonNullable<Answer['cut']>, string> = {
	tooLarge: "Ask for less at once: lower 'Page Size' in the credential, or add filters.",
	overBudget: "Read less in one run: set a 'Limit', add filters, or send fewer items to this node.",
	brokenOff: adviceRunLater,
};

/** A body that says that the request failed. */
function refusalInWords(answer: Answer, isCertain: boolean): Words {
	const messages = serviceMessagesOf(answer);
	const { lines, kind } = messages;
	return {
		message:
			isCertain && (kind === 'fields' || kind === 'permissions')
				? refusalMessage(answer, messages)
				: `The service answered with status ${answer.status}, but says that it failed: ${lines.join('; ')}`,
		serviceWords: lines,
		...(isCertain && { advice: adviceByKind[kind] }),
	};
}

interface AnswerRule {
	/** What came, in the words of the table in docs/design.md. */
	came: string;
	appliesTo: (contents: AnswerContents) => boolean;
	/** What follows, by what is due. Where it says nothing, the next rule that applies counts. */
	becomes: Partial<Record<AnswerKind, Verdict>>;
	/** What a person reads where it is no success. */
	words?: (answer: Answer, contents: AnswerContents) => Words;
}

/** @param write what becomes of every write; a read changes nothing, so that one without its data is `refused` */
const all = (write: Verdict): Record<AnswerKind, Verdict> => ({
	record: write,
	nothing: write,
	reports: write,
	read: write === 'success' ? write : 'refused',
});

/**
 * The first rule that applies counts. A record that was created exists, so that its answer can say no worse than
 * `done`; where nothing is due, the answer itself is the proof; of a bulk patch, only the reports on its paths are.
 */
export const answerRules: readonly AnswerRule[] = [
	{
		came: 'An answer that broke off, or is too large',
		appliesTo: ({ isCut }) => isCut === true,
		becomes: { ...all('unknown'), record: 'done' },
		words: (answer) => ({
			message: `The service answered with status ${answer.status}, but the answer ${faultOfBody(answer)}`,
			...(isRead(answer) && {
				retryable: answer.cut === 'brokenOff',
				advice: adviceByCut[answer.cut!],
			}),
		}),
	},
	{
		came: 'A web page',
		appliesTo: ({ isWebPage }) => isWebPage === true,
		becomes: all('unknown'),
		words: (answer) => ({
			message: 'The service answered with a web page instead of data',
			advice: isRead(answer) ? adviceBaseUrl : `${adviceBaseUrl} ${adviceLookUp}`,
		}),
	},
	{
		came: 'Nothing but an error body that the interface lists for 400, 401 or 403, or a problem with a status that refuses',
		appliesTo: ({ saysNo }) => saysNo === 'certainly',
		becomes: all('refused'),
		words: (answer) => refusalInWords(answer, true),
	},
	{
		came: '`success` that is not true, `errors`, `error`, `ok` false, a `status` of a failure; or `false` where nothing is due',
		appliesTo: ({ saysNo }) => saysNo === 'perhaps',
		becomes: all('unknown'),
		words: (answer) => refusalInWords(answer, false),
	},
	// "Accepted" does not say that the request was or will be carried out (RFC 9110 §15.3.3).
	{
		came: '202',
		appliesTo: ({ status }) => status === 202,
		becomes: { record: 'unknown', nothing: 'unknown' },
		words: ({ status }) => ({
			message: `The service accepted the request, but has not carried it out yet (status ${status})`,
		}),
	},
	{
		came: 'What is due, but other text stands beside it',
		appliesTo: ({ isDue, otherText }) => isDue === true && otherText !== undefined,
		becomes: { ...all('success'), record: 'done', nothing: 'unknown' },
		words: ({ status }, { dueInWords, otherText = '' }) => ({
			message: `The service answered with status ${status}${dueInWords === undefined ? '' : ` and ${dueInWords}`}, but wrote other text beside its data: ${shortened(otherText)}`,
		}),
	},
	{
		came: 'What is due',
		appliesTo: ({ isDue }) => isDue === true,
		becomes: all('success'),
	},
	{
		came: 'Anything else: no body, text, half a JSON, JSON of another shape',
		appliesTo: () => true,
		becomes: { ...all('unknown'), record: 'done' },
		words: (answer, { expected }) => ({
			message: `The service answered with status ${answer.status}, but the answer ${faultOfBody(answer)}: expected ${expected}`,
		}),
	},
];

const answerRuleFor = (kind: AnswerKind, contents: AnswerContents): AnswerRule =>
	answerRules.find((rule) => rule.becomes[kind] !== undefined && rule.appliesTo(contents))!;

export const verdictOn = (kind: AnswerKind, contents: AnswerContents): Verdict =>
	answerRuleFor(kind, contents).becomes[kind]!;

/**
 * The failure for an answer that is a success by its status, but not by what it holds.
 * @returns undefined for a success
 */
export function failureIn(
	answer: Answer,
	operation: Operation,
	contents: AnswerContents,
): Failure | undefined {
	const kind = answerKindOf(operation);
	const { becomes, words } = answerRuleFor(kind, contents);
	const outcome = becomes[kind]!;
	if (outcome === 'success') return undefined;
	const { status, tries } = answer;
	const { message, ...details } = words!(answer, contents);
	// Of a read the next answer may be another one.
	const advice = outcome === 'refused' ? adviceRunLater : undefined;
	return new Failure(message, outcome, { status, tries, advice, ...details });
}

/**
 * What a person is told, once a run, of an answer that differs from the interface's description and still has one
 * meaning. The list in docs/design.md is made from these words.
 */
export const tolerances = {
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

export type Tolerance = keyof typeof tolerances;
