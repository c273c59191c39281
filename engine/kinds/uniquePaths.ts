// Checks the paths of bulk patches: no two rows of a run may patch one record. The service reports by path, so nobody
// could tell which row a report is about, and the last row would undo what the others set.
import type { BulkOperation } from '../area';
import type { FieldProblem } from '../failure';
import { labelOf } from '../form/labels';
import { groupedBy } from '../http/format';
import { truncate } from '../http/json';
import type { Job } from './job';

/** The most bytes of a path that a message shows. */
const maxPathBytes = 100;

/** The paths of a job, as they are sent. */
export const pathsOf = ({ pathsField }: BulkOperation, { values }: Job): string[] =>
	(values.body[pathsField] as Array<{ path: string }>).map(({ path }) => path);

/** Paths that differ only in letter case, in spaces around them or in the first slash may be one record's. */
const comparable = (path: string): string => path.trim().toLowerCase().replace(/^\//, '');

/** @returns a problem of each item with a path that stands twice, in it or in two items; by the item's index */
export function repeatedPaths(
	operation: BulkOperation,
	jobs: readonly Job[],
): Map<number, FieldProblem> {
	const label = labelOf(operation.body.find(({ name }) => name === operation.pathsField)!);
	const rule = 'must name each path once in a run, in one row with all its values';
	const named = jobs.flatMap((job) =>
		pathsOf(operation, job).map((path) => ({ path, itemIndex: job.itemIndex })),
	);
	const alike = [...groupedBy(named, ({ path }) => comparable(path)).values()];
	const repeated = alike.filter(({ length }) => length > 1).flat();
	return new Map(
		repeated.map(({ path, itemIndex }) => {
			const value = `"${truncate(path, maxPathBytes)}"`;
			const text = `names ${value} more than once in this run: give all its values in one row`;
			return [itemIndex, { label, rule, value, text }];
		}),
	);
}
