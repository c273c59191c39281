// Checks the paths of bulk patches: no two rows of a run may patch one record. The service reports by path, so nobody
// could tell which row a report is about, and the last row would undo what the others set.
import type { BulkOperation } from '../area';
import type { FieldProblem } from '../failure';
import { labelOf } from '../form/labels';
import { groupedBy } from '../http/format';
import { truncate } from '../http/json';
import { itemsInWords } from '../items/itemNames';
import type { Job } from './job';

/** The most bytes of a path that a message shows. */
const maxPathBytes = 100;

const rule = 'must name each path once, in one row with all its values';

/** The paths of a job, as they are sent. */
export const pathsOf = ({ pathsField }: BulkOperation, { values }: Job): string[] =>
	(values.body[pathsField] as Array<{ path: string }>).map(({ path }) => path);

/** Paths that differ only in letter case, in spaces around them or in the first slash may be one record's. */
const comparable = (path: string): string => path.trim().toLowerCase().replace(/^\//, '');

/** @returns a problem of each job with a path that stands twice, in this job or in two, by the job's item */
export function repeatedPaths(
	operation: BulkOperation,
	jobs: readonly Job[],
): Array<[itemIndex: number, problem: FieldProblem]> {
	const label = labelOf(operation.body.find(({ name }) => name === operation.pathsField)!);
	const named = jobs.flatMap((job) =>
		pathsOf(operation, job).map((path) => ({ path, itemIndex: job.itemIndex })),
	);
	const problemIn = (group: typeof named, { path, itemIndex }: (typeof named)[number]) => {
		const value = `"${truncate(path, maxPathBytes)}"`;
		const other = group.find((one) => one.itemIndex !== itemIndex);
		const where = other ? `, as ${itemsInWords([other.itemIndex])} does` : ' twice';
		return { label, rule, value, text: `has ${value}${where}, but ${rule}` };
	};
	return [...groupedBy(named, ({ path }) => comparable(path)).values()].flatMap((group) =>
		[...groupedBy(group.length > 1 ? group : [], ({ itemIndex }) => itemIndex)].map(
			([itemIndex, [first]]): [number, FieldProblem] => [itemIndex, problemIn(group, first!)],
		),
	);
}
