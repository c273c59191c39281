// Finds names that must be unique within a run: the records that items change, and the keys of 'Send Once'.
import type { ProblemsByItem } from '../failure';
import { groupedBy } from '../http/format';
import { truncate } from '../http/json';

/** Maximum bytes of a name in a message. */
const maxQuotedBytes = 100;

/** The name in quotes, short enough for a message. */
export const quotedName = (name: string): string => `"${truncate(name, maxQuotedBytes)}"`;

/**
 * @param named each name with its item's index; an item may have several
 * @param comparable returns the same text for names that may mean the same
 * @param field the label of the field with the names, and the rule for its values
 * @returns a problem for each item whose name occurs twice, within it or across items; by item index
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

/** Paths that differ only in case, surrounding spaces or the leading slash may belong to the same record. */
export const comparableRecord = (name: string) => name.trim().toLowerCase().replace(/^\//, '');

/**
 * Finds several rows for one record: one would undo the other's changes, whichever arrives first.
 * @param named the path or the IDs of each record that an item changes, with the item's index
 * @param label of the field with the path or the IDs
 * @param rule why there may be no two, and what to do
 */
export const repeatedRecords = (
	named: ReadonlyArray<readonly [itemIndex: number, name: string]>,
	label: string,
	rule = "must name each record once, since one row may undo what another sets: combine the rows into one with all of their values, for example with n8n's Aggregate node",
): ProblemsByItem => repeatedNames(named, comparableRecord, { label, rule });
