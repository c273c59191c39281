// The report of a run that stopped half-way: which items the service has processed, and which it has not.
import { isWriting, type Operation } from '../area';
import { formatCount, joinUpTo, ranges } from '../http/format';
import { truncate } from '../http/json';
import { itemsInWords } from './itemNames';
import {
	isFailure,
	itemOutcomeOf,
	resultOutcomeOf,
	type ItemOutcome,
	type Result,
	type Results,
} from './results';

/** The most bytes of an ID or a path; longer ones are cut off. */
const maxNameBytes = 200;

const shownName = (name: unknown): string => truncate(String(name), maxNameBytes);

/** The path that a result of a bulk patch is about. */
const pathOf = (result: Result): string =>
	shownName(isFailure(result) ? result.details.path : result.path);

/** n8n's log keeps no value of an item, and no more of the service's answer than whole numbers. */
type Reader = 'person' | 'log';

/**
 * How an item may have ended, as far as sending it again is concerned, in the order in which it is told: the beginning
 * of a sentence of the report, the same in short, and the words for a path of the item.
 */
const outcomeWords: ReadonlyArray<
	[outcome: ItemOutcome, ofItems: string, inShort: string, ofPaths: string]
> = [
	['processed', 'Already processed, do not send again', 'Done, do not send again', 'processed'],
	['partly', 'Partly processed', 'Partly processed, look up', ''],
	['inDoubt', 'May or may not have been processed, look them up first', 'Look up', 'to look up'],
	['notProcessed', 'Not processed', 'Not processed', 'not processed'],
];

/** The items by outcome, each group in ascending order; groups without any are left out. */
const groupsOf = (results: Results) =>
	outcomeWords
		.map(([outcome, ofItems, inShort]) => ({
			outcome,
			ofItems,
			inShort,
			items: [...results.keys()].filter((index) => itemOutcomeOf(results[index]) === outcome),
		}))
		.filter(({ items }) => items.length > 0);

/** Lists the paths of an item whose paths had different outcomes, by outcome. */
const pathsByOutcome = (results: readonly Result[]): string[] =>
	outcomeWords.flatMap(([outcome, , , ofPaths]) => {
		const paths = results.filter((result) => resultOutcomeOf(result) === outcome).map(pathOf);
		return paths.length > 0 ? [`${ofPaths}: ${joinUpTo(paths, maxNameBytes)}`] : [];
	});

/** The IDs of the records that were created, such as "shiftScheduleID 7–9"; nothing where there are none. */
function idsInWords(operation: Operation, results: readonly Result[], reader: Reader): string[] {
	if (!('returns' in operation)) return [];
	const { name } = operation.returns;
	const ids = results.flatMap((result) => (isFailure(result) ? [] : [result[name]]));
	const shown = ids.filter((id) =>
		reader === 'log' ? Number.isSafeInteger(id) : id !== undefined,
	);
	return shown.length > 0 ? [`${name} ${joinUpTo(ranges(shown, shownName))}`] : [];
}

/**
 * @param results the results of all input items
 * @returns plain sentences of some ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(
	operation: Operation,
	results: Results,
	reader: Reader = 'person',
): string {
	if (!isWriting(operation)) return '';
	const sentences = groupsOf(results).map(({ outcome, ofItems, items }) => {
		const ofAll = items.flatMap((index) => results[index] ?? []);
		const named =
			outcome === 'partly' && reader === 'person'
				? joinUpTo(items.map((index) => itemsInWords([index], pathsByOutcome(results[index]!))))
				: itemsInWords(items, idsInWords(operation, ofAll, reader));
		return `${ofItems}: ${named}.`;
	});
	return sentences.join(' ');
}

/** The most characters of an enumeration of items in the short report. */
const maxShortCharacters = 25;

/** The same in the few characters that n8n keeps beside an execution. */
export const shortReportOf = (results: Results): string =>
	groupsOf(results)
		.map(({ inShort, items }) => {
			const rows = itemsInWords(items, [], maxShortCharacters);
			return `${inShort}: ${formatCount(items.length)}, ${rows}.`;
		})
		.join(' ');

/** What is counted of a run, in the order in which it is told; a read gives rows, and sends none. */
const statusWords = {
	sent: 'sent',
	alreadySent: 'already sent',
	partly: 'partly processed',
	inDoubt: 'in doubt',
	unreadable: 'sent, but the answer could not be read',
	refused: 'refused',
	notSent: 'not sent',
};

type RowStatus = keyof typeof statusWords;

const rowStatuses = Object.keys(statusWords) as RowStatus[];

const isFailed = (status: RowStatus): boolean => status !== 'sent' && status !== 'alreadySent';

/** How many items have which status. */
export type Counts = Record<RowStatus, number>;

/** @param isStarted whether this run has begun to send the item */
function statusOf(results: readonly Result[] | undefined, isStarted: boolean): RowStatus {
	const outcome = itemOutcomeOf(results);
	if (outcome === 'partly' || outcome === 'inDoubt') return outcome;
	const failures = results?.filter(isFailure) ?? [];
	if (outcome === 'notProcessed')
		return failures.some((failure) => failure.outcome === 'refused') ? 'refused' : 'notSent';
	if (!isStarted) return 'alreadySent';
	return failures.length > 0 ? 'unreadable' : 'sent';
}

/** @param started the items that this run has begun to send */
export function countsOf(results: Results, started: ReadonlySet<number>): Counts {
	const counts = sumCounts([]);
	results.forEach((itemResults, index) => counts[statusOf(itemResults, started.has(index))]++);
	return counts;
}

export function sumCounts(all: readonly Counts[]): Counts {
	const sums = rowStatuses.map((status) => [
		status,
		all.reduce((sum, counts) => sum + counts[status], 0),
	]);
	return Object.fromEntries(sums) as Counts;
}

/**
 * Such as "3 sent, 57 failed: 50 refused, 7 not sent", or "58 sent, 2 failed: not sent". Who looks for failures
 * searches for "failed".
 */
export function countsInWords(operation: Operation, counts: Counts): string {
	const words = isWriting(operation) ? statusWords : { ...statusWords, sent: 'read' };
	const present = rowStatuses.filter((status) => counts[status] > 0);
	const inWords = (status: RowStatus): string => `${formatCount(counts[status])} ${words[status]}`;
	const failed = present.filter(isFailed);
	const parts = present.filter((status) => !isFailed(status)).map(inWords);
	if (failed.length > 0) {
		const count = failed.reduce((sum, status) => sum + counts[status], 0);
		const why = failed.length === 1 ? words[failed[0]!] : failed.map(inWords).join(', ');
		parts.push(`${formatCount(count)} failed: ${why}`);
	}
	return parts.join(', ');
}
