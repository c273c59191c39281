// What a run that stops half-way tells the user: which items are in the service's books, and which are not.
import type { Operation } from '../area';
import { isFailure, isInDoubt, isOpen, type Result, type Results } from './results';

/** More pieces than this are counted instead of listed. */
const listed = 500;

/** [0, 1, 2, 5, 'x'] → ["0–2", "5", "x"] */
function ranges(values: readonly unknown[]): string[] {
	const pieces: Array<{ first: unknown; last: unknown }> = [];
	for (const value of values) {
		const piece = pieces.at(-1);
		if (piece && typeof piece.last === 'number' && value === piece.last + 1) piece.last = value;
		else pieces.push({ first: value, last: value });
	}
	return pieces.map(({ first, last }) =>
		first === last ? String(first) : `${String(first)}–${String(last)}`,
	);
}

function inShort(values: readonly unknown[]): string {
	const pieces = ranges(values);
	const more = pieces.length - listed;
	return pieces.slice(0, listed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const items = (indexes: readonly number[]): string =>
	`${indexes.length === 1 ? 'item' : 'items'} ${inShort(indexes)}`;

/**
 * @param results of all input items
 * @returns plain sentences; '' for an operation that only reads
 */
export function reportOf(operation: Operation, results: Results): string {
	if (operation.request.startsWith('GET ')) return '';
	const where = (is: (ofItem: readonly Result[] | undefined) => boolean): number[] =>
		[...results.keys()].filter((index) => is(results[index]));
	const doubtful = where((ofItem) => !!ofItem?.some(isInDoubt));
	const open = where(isOpen);
	const done = where((ofItem) => !isOpen(ofItem) && !ofItem?.some(isInDoubt));
	const key = 'returns' in operation ? operation.returns.name : undefined;
	const ids = key
		? done.flatMap((index) =>
				results[index]!.flatMap((entry) => (isFailure(entry) ? [] : [entry[key]])),
			)
		: [];
	const sentences = [
		done.length > 0 &&
			`Already processed, do not send again: ${items(done)}${ids.length > 0 ? ` (${key} ${inShort(ids)})` : ''}.`,
		doubtful.length > 0 &&
			`May or may not have been processed, look them up first: ${items(doubtful)}.`,
		open.length > 0 && `Not processed: ${items(open)}.`,
	];
	return sentences.filter(Boolean).join(' ');
}
