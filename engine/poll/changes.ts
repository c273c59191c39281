// Decides which changes found by a poll are delivered to an execution now, and which are left for the next poll to find
// again.
import type { IDataObject } from 'n8n-workflow';

import { rowShape } from '../kinds/list/rows';
import { inTurns } from '../n8n';
import type { Reading } from './listReader';
import { differing, marks, removedRow, snapshotOf, type RowChange } from './snapshot';
import type { TriggerInput } from './triggerInput';

/**
 * Up to this number of removals, or this share of the list, is believed at once. A service in trouble may send an empty
 * or shortened list: the missing rows would be reported as removed, and as added by a later poll.
 */
export const fewRemovals = { rows: 10, share: 0.1 };

/** More removals are believed only after the rows have been missing for this long, in this many further polls. */
export const believedAfter = { milliseconds: 30 * 60_000, polls: 3 };

/**
 * What one execution gets at most: its items, and their characters as JSON, which n8n saves together with the snapshot.
 * One object, so that tests can lower them.
 */
export const executionLimits = { items: 1000, characters: 10_000_000 };

/** Rows that vanished in bulk, by identity: when they were first missed, and by how many polls. */
export type Absences = Map<string, { since: number; polls: number }>;

/** The missing rows whose removal is not believed yet. */
async function absencesIn({ entries, changes }: Reading, lastAbsences: Absences) {
	const missing = changes.filter(
		({ kind, before }) => kind === 'removed' && before!.mark !== marks.removed,
	);
	const mostAtOnce = fewRemovals.share * (entries.length + missing.length);
	const areFew = missing.length <= Math.max(fewRemovals.rows, mostAtOnce) && entries.length > 0;
	const absences: Absences = new Map();
	for await (const { before } of inTurns(missing)) {
		const { identity } = before!;
		const { since, polls } = lastAbsences.get(identity) ?? { since: Date.now(), polls: 0 };
		const isLong = polls >= believedAfter.polls && Date.now() - since >= believedAfter.milliseconds;
		const isBelieved = polls === 0 ? areFew : isLong;
		if (!isBelieved) absences.set(identity, { since, polls: polls + 1 });
	}
	return absences;
}

/**
 * @param sample the note in a test event that it is only a sample
 * @returns the row in the shape set by 'Output' (for a removed row, only its identity) with the kind of its change
 */
export function changeItem(
	rowChange: RowChange,
	{ watchedList: { operation }, settings }: TriggerInput,
	sample?: string,
): IDataObject {
	const { kind, before, now } = rowChange;
	const { onlyFields } = settings;
	const changedFields = sample === undefined ? differing(rowChange, onlyFields) : onlyFields;
	const change = {
		changeType: kind,
		...(sample !== undefined && { sample }),
		...(changedFields.length > 0 && { changedFields }),
	};
	const row = now ? rowShape(settings, operation)(now.row) : removedRow(before!, operation.idField);
	// Spread first so that people see it first, and last so that no field of the row replaces it.
	return { ...change, ...row, ...change };
}

/**
 * Every selected change is either delivered now, or left out of the next snapshot so that the next poll finds it again:
 * changes that do not fit into one execution, which then come first, and removals that are not believed yet. Changes of
 * kinds that are not selected are dropped.
 * @returns the items for an execution, and the snapshot and absences to keep for the next poll once they are delivered
 */
export async function settleChanges(
	{ entries, changes }: Reading,
	input: TriggerInput,
	lastAbsences: Absences = new Map(),
) {
	const { triggerOn } = input.settings;
	const absences = await absencesIn({ entries, changes }, lastAbsences);
	const isUnbelieved = ({ kind, before }: RowChange) =>
		kind === 'removed' && absences.has(before!.identity);
	const wanted = changes.filter((one) => triggerOn.includes(one.kind) && !isUnbelieved(one));
	let characters = 0;
	const fits = (item: IDataObject) =>
		(characters += JSON.stringify(item).length) <= executionLimits.characters;
	const items = wanted
		.slice(0, executionLimits.items)
		.map((change) => changeItem(change, input))
		.filter((item, at) => fits(item) || at === 0);
	const left = wanted.slice(items.length);
	const nextSnapshot = await snapshotOf(entries, left, changes.filter(isUnbelieved));
	return { items, absences, nextSnapshot };
}
