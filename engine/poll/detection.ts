// The ways to detect what changed in a list since the last poll, one for each choice of the setting 'Detect By'.
import type { TriggerSettings } from '../form/trigger';
import type { ListReader } from './listReader';
import { diffRows, rowCountIn, rowsAmong, snapshotOf, type RowChange } from './snapshot';

/** What one poll leaves for the next. */
export interface PollState {
	/** A snapshot, as snapshotOf() writes it: of the whole list, or of the rows that the service last returned. */
	rows: string;
	/** The date since which the service is asked for changes; undefined to ask for all rows. */
	cursor?: string;
	/** A snapshot of those of the rows that were missing when the list was last read. */
	missing?: string;
}

export interface DetectedChanges {
	changes: RowChange[];
	/** Removals that are believed only when the next poll finds them too; no part of the changes. */
	unconfirmed: RowChange[];
	/** The state for the next poll, once all of the changes have been given to an execution. */
	nextState: PollState;
}

interface Detection {
	/** The state of a trigger that gives only what changes from now on. */
	initialState: (reader: ListReader, settings: TriggerSettings) => Promise<PollState>;
	/** Finds what changed since the poll that left the state. */
	detectChanges: (
		reader: ListReader,
		state: PollState,
		settings: TriggerSettings,
	) => Promise<DetectedChanges>;
}

const isRemoval = ({ kind }: RowChange): boolean => kind === 'removed';

/** Up to so many removals are believed at once, and up to this share of the list. */
export const fewRemovals = { rows: 10, share: 0.1 };

/**
 * The removals that are not believed yet: a service in trouble may send an empty or shortened list, and all of its
 * rows would be removed, and added by the next poll. Rows that the last poll missed too are believed to be removed.
 * @param isPlain whether the list has rows, and came as its description says
 */
function unconfirmedRemovals(
	{ rows, missing = '' }: PollState,
	removals: RowChange[],
	isPlain: boolean,
): RowChange[] {
	const missedBefore = rowsAmong(missing, removals);
	const others = removals.filter((removal) => !missedBefore.has(removal));
	const few = Math.max(fewRemovals.rows, fewRemovals.share * rowCountIn(rows));
	return isPlain && others.length <= few ? [] : others;
}

const fullComparison: Detection = {
	async initialState(reader) {
		return { rows: snapshotOf(await reader.allRows()) };
	},
	async detectChanges(reader, state) {
		const entries = await reader.allRows({
			needsAll: (read) => diffRows(state.rows, read, reader.idField).some(isRemoval),
		});
		const changes = diffRows(state.rows, entries, reader.idField);
		const isPlain = entries.length > 0 && !reader.usedTolerance;
		const unconfirmed = unconfirmedRemovals(state, changes.filter(isRemoval), isPlain);
		const isUnconfirmed = new Set(unconfirmed);
		return {
			changes: changes.filter((change) => !isUnconfirmed.has(change)),
			unconfirmed,
			nextState: { rows: snapshotOf(entries) },
		};
	},
};

/**
 * The date since which the next poll asks for changes. To be called before this poll asks, so that no change falls
 * between the two. It is not before the date that this poll asks from, also when 'Overlap' was raised: rows from
 * before it are in no snapshot, and would be given again. A date in the future comes of a clock that was set back.
 * @param cursor the date that this poll asks from
 */
function nextChangesSince({ overlap = 0 }: TriggerSettings, cursor?: string): string {
	const now = Date.now();
	const since = new Date(now - overlap * 60_000).toISOString();
	const isInPast = cursor !== undefined && Date.parse(cursor) <= now;
	return isInPast && cursor > since ? cursor : since;
}

/**
 * Rows that the service returned to the last poll may come again, since it is asked from a date before that poll: they
 * count only if they have changed since. That a row does not come again does not mean that it was removed.
 */
const changesSince: Detection = {
	async initialState(reader, settings) {
		const cursor = nextChangesSince(settings);
		return { rows: snapshotOf(await reader.allRows({ changesSince: cursor })), cursor };
	},
	async detectChanges(reader, state, settings) {
		const cursor = nextChangesSince(settings, state.cursor);
		const entries = await reader.allRows({ changesSince: state.cursor });
		const changes = diffRows(state.rows, entries, reader.idField);
		// An answer without rows may be that of a service in trouble, so the next poll asks from the same date: else rows
		// would be given again, or be lost. Only a date in the future does not stay.
		const stays = entries.length === 0 && !(Date.parse(state.cursor ?? '') > Date.now());
		return {
			changes: changes.filter((change) => !isRemoval(change)),
			unconfirmed: [],
			nextState: stays ? state : { rows: snapshotOf(entries), cursor },
		};
	},
};

export const detectionOf = ({ detectBy }: TriggerSettings): Detection =>
	detectBy === 'changesSince' ? changesSince : fullComparison;
