// Decides which of the changes that a poll has found are given to an execution now, and which are left for the next
// poll to find again.
import type { IDataObject } from 'n8n-workflow';

import { rowShape } from '../kinds/list/rows';
import type { Reading } from './listReader';
import { rowsIn, snapshotOf, type RowChange } from './snapshot';
import type { TriggerInput } from './triggerInput';

/** Up to so many removals are believed at once, and up to this share of the list. */
const fewRemovals = { rows: 10, share: 0.1 };

/**
 * The removals that count only if the next poll misses these rows too. A service in trouble may send an empty or
 * shortened list: all of its rows would be removed, and added by the next poll.
 */
function unconfirmedRemovals({ snapshot, entries, changes }: Reading): RowChange[] {
	const newlyMissing = changes.filter(
		({ kind, before }) => kind === 'removed' && !before!.isMissing,
	);
	const { length: count } = newlyMissing;
	const isFew = count <= fewRemovals.rows || count <= fewRemovals.share * rowsIn(snapshot).length;
	return isFew && entries.length > 0 ? [] : newlyMissing;
}

/**
 * @param sample what a test event says of it
 * @returns the row as the setting 'Output' says, with the kind of its change; of a removed row only its identity
 */
export function changeItem(
	{ kind, row, changedFields = [] }: RowChange,
	{ watchedList, settings }: Pick<TriggerInput, 'watchedList' | 'settings'>,
	sample?: string,
): IDataObject {
	const change = {
		changeType: kind,
		...(sample !== undefined && { sample }),
		...(changedFields.length > 0 && { changedFields }),
	};
	const fields = kind === 'removed' ? row : rowShape(settings, watchedList.operation)(row);
	// Spread first so that people see it first, and last so that no field of the row replaces it.
	return { ...change, ...fields, ...change };
}

/**
 * Every change is either given now, or left out of the next snapshot so that the next poll finds it again: what does
 * not fit into one execution, and removals that are not confirmed yet. Kinds of changes that nobody wants are neither.
 * @returns the items for an execution; how many removals are not confirmed yet; and the snapshot for the next poll,
 * once the items have been given to an execution
 */
export function settleChanges(
	reading: Reading,
	input: Pick<TriggerInput, 'watchedList' | 'settings'>,
) {
	const { settings } = input;
	const unconfirmed = new Set(unconfirmedRemovals(reading));
	const wanted = reading.changes.filter(
		(change) => settings.triggerOn.includes(change.kind) && !unconfirmed.has(change),
	);
	const left = [...unconfirmed, ...wanted.slice(settings.maxItems)];
	return {
		items: wanted.slice(0, settings.maxItems).map((change) => changeItem(change, input)),
		unconfirmed: unconfirmed.size,
		nextSnapshot: snapshotOf(reading.entries, left),
	};
}
