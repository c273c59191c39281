// Decides what an answer with a status of success (2xx) means, whichever of them it is (RFC 9110 §15.3): what became of
// a write, and whether a read has its data. Pure: no n8n, no network. The tables in docs/design.md are made from these.
import { isWriting, type Operation } from '../area';
import type { Outcome } from '../failure';

/**
 * What an operation is to be answered with: the `record` that was created, or its ID; `nothing`, or an object that the
 * interface does not show; `reports` on each path of a bulk patch; what a `read` asked for.
 */
export type AnswerKind = 'record' | 'nothing' | 'reports' | 'read';

export function answerKindOf(operation: Operation): AnswerKind {
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
	/** Other text stands before the JSON. */
	hasTextBefore?: boolean;
}

/** Why an answer is no success. */
export type Fault =
	| 'cut'
	| 'webPage'
	| 'refusal'
	| 'failure'
	| 'onlyAccepted'
	| 'textBefore'
	| 'otherShape';

interface AnswerRule {
	/** What came, in the words of the table in docs/design.md. */
	came: string;
	appliesTo: (contents: AnswerContents) => boolean;
	fault?: Fault;
	/** What follows, by what is due. Where it says nothing, the next rule that applies counts. */
	becomes: Partial<Record<AnswerKind, 'success' | Outcome>>;
}

/** @param write what becomes of every write; a read changes nothing, so that one without its data is `refused` */
const all = (write: Outcome | 'success'): Record<AnswerKind, Outcome | 'success'> => ({
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
		fault: 'cut',
		becomes: { ...all('unknown'), record: 'done' },
	},
	{
		came: 'A web page',
		appliesTo: ({ isWebPage }) => isWebPage === true,
		fault: 'webPage',
		becomes: all('unknown'),
	},
	{
		came: 'Nothing but an error body that the interface lists for 400, 401 or 403',
		appliesTo: ({ saysNo }) => saysNo === 'certainly',
		fault: 'refusal',
		becomes: all('refused'),
	},
	{
		came: '`success` that is not true, `errors`, `error`; or `false` where nothing is due',
		appliesTo: ({ saysNo }) => saysNo === 'perhaps',
		fault: 'failure',
		becomes: all('unknown'),
	},
	// "Accepted" does not say that the request was or will be carried out (RFC 9110 §15.3.3).
	{
		came: '202',
		appliesTo: ({ status }) => status === 202,
		fault: 'onlyAccepted',
		becomes: { record: 'unknown', nothing: 'unknown' },
	},
	{
		came: 'What is due, but other text stands before it',
		appliesTo: ({ isDue, hasTextBefore }) => isDue === true && hasTextBefore === true,
		fault: 'textBefore',
		becomes: { ...all('success'), record: 'done', nothing: 'unknown' },
	},
	{
		came: 'What is due',
		appliesTo: ({ isDue }) => isDue === true,
		becomes: all('success'),
	},
	{
		came: 'Anything else: no body, text, half a JSON, JSON of another shape',
		appliesTo: () => true,
		fault: 'otherShape',
		becomes: { ...all('unknown'), record: 'done' },
	},
];

/** What an answer that is no success means, and why it is none. */
export interface AnswerVerdict {
	outcome: Outcome;
	fault: Fault;
}

/** @returns undefined for a success */
export function verdictOn(kind: AnswerKind, contents: AnswerContents): AnswerVerdict | undefined {
	const { becomes, fault } = answerRules.find(
		(rule) => rule.becomes[kind] !== undefined && rule.appliesTo(contents),
	)!;
	const verdict = becomes[kind]!;
	return verdict === 'success' ? undefined : { outcome: verdict, fault: fault! };
}

/** What a report on one path of a bulk patch says. */
export interface PathReport {
	/** Undefined when there is no report, or its status is no whole number. */
	status?: number;
	/** It says that the path failed, whatever its status. */
	saysNo?: boolean;
}

interface ReportRule {
	/** What the report says, in the words of the table in docs/design.md. */
	said: string;
	appliesTo: (report: PathReport) => boolean;
	/** `asRequest`: as the retry policy judges a whole request that is answered with this status. */
	becomes: 'success' | 'notModified' | 'unknown' | 'asRequest';
}

const isStatusIn =
	(hundred: number) =>
	({ status = 0 }: PathReport): boolean =>
		Math.floor(status / 100) === hundred;

/** What became of a path, by the report on it: the first rule that applies counts. */
export const reportRules: readonly ReportRule[] = [
	{
		said: 'No report, or one whose status is no whole number',
		appliesTo: ({ status }) => status === undefined,
		becomes: 'unknown',
	},
	{ said: '304', appliesTo: ({ status }) => status === 304, becomes: 'notModified' },
	{ said: '202', appliesTo: ({ status }) => status === 202, becomes: 'unknown' },
	{
		said: '2xx, but the report says that it failed',
		appliesTo: (report) => isStatusIn(2)(report) && report.saysNo === true,
		becomes: 'unknown',
	},
	{ said: 'Any other 2xx', appliesTo: isStatusIn(2), becomes: 'success' },
	{ said: '4xx', appliesTo: isStatusIn(4), becomes: 'asRequest' },
	{ said: 'Any other status', appliesTo: () => true, becomes: 'unknown' },
];

export const judgeReport = (report: PathReport): ReportRule['becomes'] =>
	reportRules.find(({ appliesTo }) => appliesTo(report))!.becomes;

/**
 * In what an answer may differ from the interface's description and still have one meaning: it is taken so, and told
 * once a run in a hint. The list in docs/design.md is made from these words.
 */
export const tolerances = {
	otherStatus: 'another status of success (2xx)',
	numbersAsText: 'digits as text for a number, such as "250"',
	textAsNumbers: 'a number, true or false for a text',
	otherLetterCase: 'names in another letter case',
	wrapped: "what is asked for inside 'data' or 'result'",
	listAlone: 'a list without the object around it',
	listByIndex: 'an object with numbers as names for a list',
	noRows: 'something else than an empty list for no rows: null, {}, status 204',
	noCount:
		"no 'totalRows', so that a list is read until a page is not full (if rows are missing, ask the service's owner how many there are)",
	emptyForNothing: 'null, an empty list or true where nothing is asked for',
	textBefore:
		"other text before the data of a read, such as a notice of PHP (ask the service's owner to turn it off)",
	notUtf8:
		"text that is not UTF-8, read as Windows-1252 (if letters look wrong, ask the service's owner for the charset)",
} as const;

export type Tolerance = keyof typeof tolerances;

/** What a person is told of an answer that was taken although it differs from its description. */
export const toleranceHint = (tolerance: Tolerance): string =>
	`The service differs from its description, and was understood all the same: it sends ${tolerances[tolerance]}.`;
