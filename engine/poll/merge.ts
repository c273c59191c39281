// Merges the rows that a poll has read into what the last poll left: decides which changes are given to an execution
// now, and which are left for the next poll.
import type { IDataObject } from 'n8n-workflow';

import type { TriggerSettings } from '../form/trigger';
import { pluralize } from '../http/format';
import { rowShape } from '../kinds/list/rowShape';
import { pollFailure } from './pollFailure';
import {
	changedFields,
	diffRows,
	hasID,
	rowsIn,
	snapshotOf,
	type RowChange,
	type RowEntry,
} from './snapshot';

/** What one poll leaves for the next. */
export interface PollState {
	/** A snapshot of the rows as executions were last told of them: of the whole list, or of those last returned. */
	rows: string;
	/** The date since which the service is asked for changes; undefined to ask for all rows. */
	cursor?: string;
}

/** What one poll has read. */
export interface Reading {
	entries: readonly RowEntry[];
	/** The field that holds the ID of a row's record, if the list has one. */
	idField?: string;
	/** Whether the list came in another way than its API spec says. */
	deviated: boolean;
	/** The date from which the next poll asks; undefined when it is to compare the whole list. */
	nextCursor?: string;
}

export const isRemoval = ({ kind }: RowChange): boolean => kind === 'removed';

/** Up to so many removals are believed at once, and up to this share of the list. */
const fewRemovals = { rows: 10, share: 0.1 };

/**
 * The removals that are not believed. That a row does not come again since a date does not mean that it was removed.
 * And a service in trouble may send an empty or shortened list: all of its rows would be removed, and added by the next
 * poll. Rows that the last poll missed too are believed to be removed.
 */
function doubtedRemovals(
	rows: string,
	changes: readonly RowChange[],
	{ entries, deviated, nextCursor }: Reading,
): RowChange[] {
	const removals = changes.filter(isRemoval);
	if (nextCursor !== undefined) return removals;
	const newlyMissing = removals.filter(({ before }) => !before!.isMissing);
	const { length: count } = newlyMissing;
	const isFew = count <= fewRemovals.rows || count <= fewRemovals.share * rowsIn(rows).length;
	return isFew && entries.length > 0 && !deviated ? [] : newlyMissing;
}

/** @throws Failure when rows have no ID where all had one: they would be given as added, and once more with their IDs */
function assertHaveIDs(rows: string, changes: readonly RowChange[], idField?: string): void {
	const withoutID = changes.filter(({ kind, now }) => kind === 'added' && !hasID(now!));
	if (withoutID.length === 0 || rows === '' || !rowsIn(rows).every(hasID)) return;
	throw pollFailure(
		`The service sent ${pluralize(withoutID.length, 'row')} without '${idField}', which all rows had before, so it is unclear what changed`,
		'Nothing is lost: the next poll tries again. If it happens every time, ask the service owner.',
	);
}

/**
 * @param marks what else is said of the change
 * @returns the row as the setting 'Output' says, with the kind of its change; of a removed row only its identity
 */
export function changeItem(
	{ kind, row }: Pick<RowChange, 'kind' | 'row'>,
	settings: TriggerSettings,
	marks: IDataObject = {},
): IDataObject {
	const changeType = settings.detectBy === 'changesSince' ? 'addedOrChanged' : kind;
	const change = { changeType, ...marks };
	const fields = kind === 'removed' ? row : rowShape(settings)(row);
	// Spread first so that people see it first, and last so that no field of the row replaces it.
	return { ...change, ...fields, ...change };
}

const marksOf = (change: RowChange, { onlyFields }: TriggerSettings): IDataObject =>
	change.kind === 'changed' && onlyFields.length > 0
		? { changedFields: changedFields(change, onlyFields) }
		: {};

/**
 * The most characters, as JSON, of the items given to one execution; the last item may go beyond it. All of them are
 * kept in n8n's static data, to be given again after a restart.
 */
const maxItemCharacters = 4_000_000;

/** As many of the items, from the first on, as may be given at once: at least one, if there are any. */
function firstOf(items: readonly IDataObject[], maxItems: number): IDataObject[] {
	let count = 0;
	let characters = 0;
	while (count < Math.min(items.length, maxItems) && characters < maxItemCharacters) {
		characters += JSON.stringify(items[count++]).length;
	}
	return items.slice(0, count);
}

/**
 * The date from which the next poll asks for changes. To be called before this poll asks, so that no change falls
 * between the two. It is not before the date that this poll asks from, even when 'Overlap' was raised: rows from
 * before it are in no snapshot, and would be given again. A date in the future comes from a clock that was set back.
 * @param cursor the date that this poll asks from
 * @returns undefined when the service is asked for all rows each time
 */
export function nextCursorAfter(
	cursor: string | undefined,
	{ detectBy, overlap = 0 }: TriggerSettings,
): string | undefined {
	if (detectBy !== 'changesSince') return undefined;
	const now = new Date();
	const since = new Date(now.getTime() - overlap * 60_000).toISOString();
	return cursor && cursor > since && cursor <= now.toISOString() ? cursor : since;
}

/**
 * Every change is either given now, or left out of the state so that the next poll finds it again: what was postponed
 * because it does not fit into one execution, and removals that are not believed yet. Kinds of changes that nobody
 * wants are neither.
 * @returns the changes for an execution; how many rows are missing that count as removed if the next poll misses them
 * too; and the state for the next poll, once the changes have been given to an execution
 * @throws Failure when it is not certain what changed
 */
export function merge(state: PollState, reading: Reading, settings: TriggerSettings) {
	const { entries, idField, nextCursor } = reading;
	const changes = diffRows(state.rows, entries, idField);
	assertHaveIDs(state.rows, changes, idField);
	const doubted = new Set(doubtedRemovals(state.rows, changes, reading));
	const wanted = changes.filter(
		(change) => settings.triggerOn.includes(change.kind) && !doubted.has(change),
	);
	const items = firstOf(
		wanted.map((change) => changeItem(change, settings, marksOf(change, settings))),
		settings.maxItems,
	);
	const postponed = wanted.slice(items.length);
	const asksSince = nextCursor !== undefined;
	// The cursor passes no postponed change. A response without rows may be that of a service in trouble, so the next
	// poll asks from the same date too: else rows would be given again, or be lost. Only a date in the future does not
	// stay.
	const isPast = (state.cursor ?? '') <= (nextCursor ?? '');
	const keepsCursor = postponed.length > 0 || (entries.length === 0 && isPast);
	const left = [...(asksSince && !keepsCursor ? [] : doubted), ...postponed];
	const rows = snapshotOf(entries, left);
	const nextState = { rows, cursor: keepsCursor ? state.cursor : nextCursor };
	return { items, doubted: asksSince ? 0 : doubted.size, nextState };
}
