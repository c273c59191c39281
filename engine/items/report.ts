// The report of a run that stopped half-way: which items the service has processed, and which it has not.
import { isWriting, type Operation } from '../area';
import { counted } from '../http/inWords';
import { shortened } from '../http/json';
import { enumerate, itemsInWords, ranges } from './itemNames';
import {
	isFailure,
	isPartly,
	itemOutcomeOf,
	resultOutcomeOf,
	type ItemOutcome,
	type Result,
	type Results,
} from './results';

/** The most bytes of an ID or a path; longer ones are cut off. */
const maxNameBytes = 200;

const shownName = (name: unknown): string => shortened(String(name), maxNameBytes);

/** The path that a result of a bulk patch is about. */
function pathOf(result: Result): string {
	const path = isFailure(result) ? result.details.path : result.path;
	return typeof path === 'string' ? shortened(path, maxNameBytes) : 'a path';
}

/** For n8n's log, which keeps no value of an item and no more of the service's answer than whole numbers. */
export interface ReportFor {
	log?: boolean;
}

/** In the order in which they are told: the word for a path, and the beginning of a sentence of the short report. */
const outcomesInWords: Array<{ outcome: ItemOutcome; ofPath: string; inShort: string }> = [
	{ outcome: 'processed', ofPath: 'processed', inShort: 'Done, do not send again' },
	{ outcome: 'inDoubt', ofPath: 'look up first', inShort: 'Look up' },
	{ outcome: 'notProcessed', ofPath: 'not processed', inShort: 'Not processed' },
];

/** Lists the paths of an item whose paths had different outcomes, by outcome. */
function pathsByOutcome(index: number, results: readonly Result[], { log }: ReportFor): string {
	if (log) return itemsInWords([index]);
	const groups = outcomesInWords.flatMap(({ outcome, ofPath }) => {
		const paths = results.filter((result) => resultOutcomeOf(result) === outcome).map(pathOf);
		return paths.length > 0 ? [`${ofPath}: ${enumerate(paths, maxNameBytes)}`] : [];
	});
	return itemsInWords([index], groups);
}

/** The items by what became of them, in ascending order. */
export function itemsByOutcome(results: Results): Record<ItemOutcome, number[]> {
	const items: Record<ItemOutcome, number[]> = { processed: [], inDoubt: [], notProcessed: [] };
	for (const index of results.keys()) items[itemOutcomeOf(results[index])].push(index);
	return items;
}

/** The IDs of the records that were created, such as "shiftScheduleID 7–9"; nothing where there are none. */
function idsInWords(
	operation: Operation,
	results: readonly Result[],
	{ log }: ReportFor,
): string[] {
	if (!('returns' in operation)) return [];
	const { name } = operation.returns;
	const ids = results.flatMap((result) =>
		isFailure(result) || result[name] === undefined ? [] : [result[name]],
	);
	const shown = log ? ids.filter(Number.isSafeInteger) : ids;
	return shown.length > 0 ? [`${name} ${enumerate(ranges(shown, shownName))}`] : [];
}

/**
 * @param results the results of all input items
 * @param reader who reads it; without it, the person who sees the node's error
 * @returns plain sentences of some ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(operation: Operation, results: Results, reader: ReportFor = {}): string {
	if (!isWriting(operation)) return '';
	const { processed, inDoubt, notProcessed } = itemsByOutcome(results);
	const ids = idsInWords(
		operation,
		processed.flatMap((index) => results[index]!),
		reader,
	);
	const partly = inDoubt.filter((index) => isPartly(results[index]));
	const whole = inDoubt.filter((index) => !isPartly(results[index]));
	const sentences = [
		processed.length > 0 &&
			`Already processed, do not send again: ${itemsInWords(processed, ids)}.`,
		partly.length > 0 &&
			`Partly processed: ${enumerate(partly.map((index) => pathsByOutcome(index, results[index]!, reader)))}.`,
		whole.length > 0 &&
			`May or may not have been processed, look them up first: ${itemsInWords(whole)}.`,
		notProcessed.length > 0 && `Not processed: ${itemsInWords(notProcessed)}.`,
	];
	return sentences.filter(Boolean).join(' ');
}

/** The most characters of an enumeration of items in the short report. */
const maxShortCharacters = 25;

/** The same in the few characters that n8n keeps beside an execution. */
export function shortReportOf(results: Results): string {
	const items = itemsByOutcome(results);
	const sentences = outcomesInWords
		.filter(({ outcome }) => items[outcome].length > 0)
		.map(({ outcome, inShort }) => {
			const indexes = items[outcome];
			const count = counted(indexes.length);
			return `${inShort}: ${count}, ${itemsInWords(indexes, [], maxShortCharacters)}.`;
		});
	return sentences.join(' ');
}
