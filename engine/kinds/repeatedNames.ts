// Finds what no two items of a run may name: one record that they change, one key of 'Send Once'.
import type { ProblemsByItem } from '../failure';
import { groupedBy } from '../http/format';
import { truncate } from '../http/json';

/** The most bytes of a name that a message shows. */
const maxQuotedBytes = 100;

/** A name as messages show it. */
export const quotedName = (name: string): string => `"${truncate(name, maxQuotedBytes)}"`;

/**
 * @param named each name with the index of its item; an item may have several
 * @param comparable gives the same text for names that may mean the same
 * @param field the label of the field that gives the names, and the rule that it must follow
 * @returns a problem of each item with a name that stands twice, in it or in two items; by the item's index
 */
export function repeatedNames(
	named: ReadonlyArray<readonly [itemIndex: number, name: string]>,
	comparable: (name: string) => string,
	field: { label: string; rule: string },
): ProblemsByItem {
	const alike = [...groupedBy(named, ([, name]) => comparable(name)).values()];
	const repeated = alike.filter(({ length }) => length > 1).flat();
	return new Map(
		repeated.map(([itemIndex, name]) => {
			const value = quotedName(name);
			const text = `has ${value} more than once in this run, but ${field.rule}`;
			return [itemIndex, { ...field, value, text }];
		}),
	);
}

/** Paths that differ only in letter case, in spaces around them or in the first slash may be one record's. */
export const comparableRecord = (name: string): string =>
	name.trim().toLowerCase().replace(/^\//, '');

/**
 * Several rows for one record: one would undo what another sets, in whichever order they arrive.
 * @param named the path or the IDs of each record that an item changes, with the item's index
 * @param label of the input that gives them
 */
export const repeatedRecords = (
	named: ReadonlyArray<readonly [itemIndex: number, name: string]>,
	label: string,
): ProblemsByItem =>
	repeatedNames(named, comparableRecord, {
		label,
		rule: "must name each record once, since one row may undo what another sets: make one row of them, with all of their values, as n8n's Aggregate node does",
	});
