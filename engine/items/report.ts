// The report of a run that stopped half-way: which items the service has processed, and which it has not.
import { isWriting, type Operation } from '../area';
import { shortened } from '../http/json';
import { isFailure, isInDoubt, isSendable, type Result, type Results } from './results';

/** An enumeration stops at so many pieces or characters; what is left is counted. */
const maxListed = { pieces: 500, characters: 6000 };

/** The most bytes of an ID or a path; longer ones are cut off. */
const maxNameBytes = 200;

/** [0, 1, 2, 5, 'x'] → ["0–2", "5", "x"] */
function ranges(values: readonly unknown[]): string[] {
	const pieces: Array<{ first: unknown; last: unknown }> = [];
	for (const value of values) {
		const piece = pieces.at(-1);
		if (piece && typeof piece.last === 'number' && value === piece.last + 1) piece.last = value;
		else pieces.push({ first: value, last: value });
	}
	return pieces.map(({ first, last }) =>
		first === last ? shortened(String(first), maxNameBytes) : `${String(first)}–${String(last)}`,
	);
}

/** @param maxCharacters the last piece that is listed may go beyond it */
function enumerate(pieces: readonly string[], maxCharacters = maxListed.characters): string {
	let count = 0;
	let characters = 0;
	while (count < Math.min(pieces.length, maxListed.pieces) && characters < maxCharacters) {
		characters += pieces[count++]!.length;
	}
	const more = pieces.length - count;
	return pieces.slice(0, count).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const enumerateRanges = (values: readonly unknown[]): string => enumerate(ranges(values));

const itemsListed = (indexes: readonly number[]): string =>
	`${indexes.length === 1 ? 'item' : 'items'} ${enumerateRanges(indexes)}`;

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

/** Lists the paths of an item whose paths had different outcomes, by outcome. */
function pathsByOutcome(index: number, results: readonly Result[]): string {
	const outcomes: ReportedAs[] = ['processed', 'look up first', 'not processed'];
	const groups = outcomes.flatMap((outcome) => {
		const paths = results.filter((result) => reportedAs(result) === outcome).map(pathOf);
		return paths.length > 0 ? [`${outcome}: ${enumerate(paths, maxNameBytes)}`] : [];
	});
	return `item ${index} (${groups.join('; ')})`;
}

/**
 * @param results the results of all input items
 * @returns plain sentences of some ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(operation: Operation, results: Results): string {
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
	const ids = idField
		? processed.flatMap((index) =>
				results[index]!.flatMap((result) =>
					isFailure(result) || result[idField] === undefined ? [] : [result[idField]],
				),
			)
		: [];
	const sentences = [
		processed.length > 0 &&
			`Already processed, do not send again: ${itemsListed(processed)}${ids.length > 0 ? ` (${idField} ${enumerateRanges(ids)})` : ''}.`,
		partlyProcessed.length > 0 &&
			`Partly processed: ${enumerate(partlyProcessed.map((index) => pathsByOutcome(index, results[index]!)))}.`,
		inDoubt.length > 0 &&
			`May or may not have been processed, look them up first: ${itemsListed(inDoubt)}.`,
		notProcessed.length > 0 && `Not processed: ${itemsListed(notProcessed)}.`,
	];
	return sentences.filter(Boolean).join(' ');
}
