// What a run that stops half-way tells the user: which items are in the service's books, and which are not.
import { isWriting, type Operation } from '../area';
import { shortened } from '../http/json';
import { isFailure, isInDoubt, isSendable, type Result, type Results } from './results';

/** More pieces than this, or more characters, are counted instead of listed. */
const maxListed = { pieces: 500, characters: 6000 };

/** Bytes of an ID or a path; longer ones are cut. */
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

/** @param most characters, but for the last piece */
function enumerate(pieces: readonly string[], most = maxListed.characters): string {
	let count = 0;
	let characters = 0;
	while (count < Math.min(pieces.length, maxListed.pieces) && characters < most) {
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

/** Results of a bulk patch name their path. */
function pathOf(result: Result): string {
	const path = isFailure(result) ? result.details.path : result.path;
	return typeof path === 'string' ? shortened(path, maxNameBytes) : 'a path';
}

/** An item whose paths fared differently: each path by what became of it. */
function pathByPath(index: number, results: readonly Result[]): string {
	const fates: ReportedAs[] = ['processed', 'look up first', 'not processed'];
	const groups = fates.flatMap((fate) => {
		const paths = results.filter((result) => reportedAs(result) === fate).map(pathOf);
		return paths.length > 0 ? [`${fate}: ${enumerate(paths, maxNameBytes)}`] : [];
	});
	return `item ${index} (${groups.join('; ')})`;
}

/**
 * @param results of all input items
 * @returns plain sentences, some ten thousand characters at most; '' for an operation that only reads
 */
export function reportOf(operation: Operation, results: Results): string {
	if (!isWriting(operation)) return '';
	const where = (is: (ofItem: readonly Result[]) => boolean): number[] =>
		[...results.keys()].filter((index) => is(results[index] ?? []));
	const isPartly = (ofItem: readonly Result[]) => new Set(ofItem.map(reportedAs)).size > 1;
	const open = [...results.keys()].filter((index) => isSendable(results[index]));
	const partly = where(isPartly);
	const doubtful = where((ofItem) => !isPartly(ofItem) && ofItem.some(isInDoubt));
	const others = new Set([...open, ...partly, ...doubtful]);
	const done = [...results.keys()].filter((index) => !others.has(index));
	const key = 'returns' in operation ? operation.returns.name : undefined;
	const ids = key
		? done.flatMap((index) =>
				results[index]!.flatMap((entry) =>
					isFailure(entry) || entry[key] === undefined ? [] : [entry[key]],
				),
			)
		: [];
	const sentences = [
		done.length > 0 &&
			`Already processed, do not send again: ${itemsListed(done)}${ids.length > 0 ? ` (${key} ${enumerateRanges(ids)})` : ''}.`,
		partly.length > 0 &&
			`Partly processed: ${enumerate(partly.map((index) => pathByPath(index, results[index]!)))}.`,
		doubtful.length > 0 &&
			`May or may not have been processed, look them up first: ${itemsListed(doubtful)}.`,
		open.length > 0 && `Not processed: ${itemsListed(open)}.`,
	];
	return sentences.filter(Boolean).join(' ');
}
