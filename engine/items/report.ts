// The report of a run that stopped half-way: which items the service has processed, and which it has not.
import { isWriting, type Operation } from '../area';
import { shortened } from '../http/json';
import { enumerate, itemsInWords, ranges } from './itemNames';
import { isFailure, isInDoubt, isSendable, type Result, type Results } from './results';

/** The most bytes of an ID or a path; longer ones are cut off. */
const maxNameBytes = 200;

const shownName = (name: unknown): string => shortened(String(name), maxNameBytes);

type ReportedAs = 'processed' | 'look up first' | 'not processed';

function reportedAs(result: Result): ReportedAs {
	if (isInDoubt(result)) return 'look up first';
	return isFailure(result) ? 'not processed' : 'processed';
}

/** The path that a result of a bulk patch is about. */
function pathOf(result: Result): string {
	const path = isFailure(result) ? result.details.path : result.path;
	return typeof path === 'string' ? shortened(path, maxNameBytes) : 'a path';
}

/** For n8n's log, which keeps no value of an item and no more of the service's answer than whole numbers. */
export interface ReportFor {
	log?: boolean;
}

/** Lists the paths of an item whose paths had different outcomes, by outcome. */
function pathsByOutcome(index: number, results: readonly Result[], { log }: ReportFor): string {
	if (log) return itemsInWords([index]);
	const outcomes: ReportedAs[] = ['processed', 'look up first', 'not processed'];
	const groups = outcomes.flatMap((outcome) => {
		const paths = results.filter((result) => reportedAs(result) === outcome).map(pathOf);
		return paths.length > 0 ? [`${outcome}: ${enumerate(paths, maxNameBytes)}`] : [];
	});
	return itemsInWords([index], groups);
}

/**
 * @param results the results of all input items
 * @param reader who reads it; without it, the person who sees the node's error
 * @returns plain sentences of some ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(operation: Operation, results: Results, reader: ReportFor = {}): string {
	if (!isWriting(operation)) return '';
	const itemsWhere = (matches: (itemResults: readonly Result[]) => boolean): number[] =>
		[...results.keys()].filter((index) => matches(results[index] ?? []));
	const isPartly = (itemResults: readonly Result[]) =>
		new Set(itemResults.map(reportedAs)).size > 1;
	const notProcessed = [...results.keys()].filter((index) => isSendable(results[index]));
	const partlyProcessed = itemsWhere(isPartly);
	const inDoubt = itemsWhere(
		(itemResults) => !isPartly(itemResults) && itemResults.some(isInDoubt),
	);
	const others = new Set([...notProcessed, ...partlyProcessed, ...inDoubt]);
	const processed = [...results.keys()].filter((index) => !others.has(index));
	const idField = 'returns' in operation ? operation.returns.name : undefined;
	const returnedIds = idField
		? processed.flatMap((index) =>
				results[index]!.flatMap((result) =>
					isFailure(result) || result[idField] === undefined ? [] : [result[idField]],
				),
			)
		: [];
	const ids = reader.log ? returnedIds.filter(Number.isSafeInteger) : returnedIds;
	const idsListed = ids.length > 0 ? [`${idField} ${enumerate(ranges(ids, shownName))}`] : [];
	const sentences = [
		processed.length > 0 &&
			`Already processed, do not send again: ${itemsInWords(processed, idsListed)}.`,
		partlyProcessed.length > 0 &&
			`Partly processed: ${enumerate(partlyProcessed.map((index) => pathsByOutcome(index, results[index]!, reader)))}.`,
		inDoubt.length > 0 &&
			`May or may not have been processed, look them up first: ${itemsInWords(inDoubt)}.`,
		notProcessed.length > 0 && `Not processed: ${itemsInWords(notProcessed)}.`,
	];
	return sentences.filter(Boolean).join(' ');
}
