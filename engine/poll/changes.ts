// Decides which of the changes that a poll has found are given to an execution now, and which are left for the next
// poll to find again.
import type { IDataObject } from 'n8n-workflow';

import { pluralize } from '../http/format';
import { rowShape } from '../kinds/list/rowShape';
import type { Reading } from './listReader';
import { pollFailure } from './pollFailure';
import { hasID, rowsIn, snapshotOf, type RowChange } from './snapshot';
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

/** @throws Failure when new rows have no ID where rows had one: they may be the rows that are missing then */
function assertHaveIDs({ snapshot, changes }: Reading, idField?: string): void {
	const withoutID = changes.filter(({ kind, now }) => kind === 'added' && !hasID(now!));
	if (withoutID.length === 0 || !rowsIn(snapshot).some(hasID)) return;
	throw pollFailure(
		`The service sent ${pluralize(withoutID.length, 'new row')} without '${idField}', which rows had before, so it is unclear what changed`,
		'Nothing is lost: the next poll tries again. If it happens every time, ask the service owner.',
	);
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
 * @throws Failure when it is not certain what changed
 */
export function settleChanges(
	reading: Reading,
	input: Pick<TriggerInput, 'watchedList' | 'settings'>,
) {
	const { watchedList, settings } = input;
	assertHaveIDs(reading, watchedList.operation.idField);
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
