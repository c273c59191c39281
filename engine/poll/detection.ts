// The ways to detect what changed in a list since the last poll, one for each choice of the setting 'Detect By'.
import type { TriggerSettings } from '../form/trigger';
import type { ChangeQuery, ListReader } from './listReader';
import {
	diffRows,
	partedByLast,
	rowCountIn,
	snapshotOf,
	type RowChange,
	type RowEntry,
} from './snapshot';

/** What one poll leaves for the next. */
export interface PollState {
	/** A snapshot, as snapshotOf() writes it: of the whole list, or of the rows that the service last returned. */
	rows: string;
	/** The date since which the service is asked for changes; undefined to ask for all rows. */
	cursor?: string;
	/** How many rows, the last ones of the snapshot, were missing when the list was last read. */
	missing?: number;
}

export interface DetectedChanges {
	changes: RowChange[];
	/** Removals that are believed only when the next poll finds them too; no part of the changes. */
	unconfirmed: RowChange[];
	/** The state for the next poll, once all of the changes have been given to an execution. */
	nextState: PollState;
}

export interface Detection {
	/** The state of a trigger that gives only what changes from now on. */
	initialState: (reader: ListReader, settings: TriggerSettings) => Promise<PollState>;
	/** Finds what changed since the poll that left the state. */
	detectChanges: (
		reader: ListReader,
		state: PollState,
		settings: TriggerSettings,
	) => Promise<DetectedChanges>;
	/** Whether it can tell added rows from changed ones, and notices removed rows. */
	knowsKindOfChange: boolean;
}

const always = () => true;

/**
 * Reads the rows that the service says were added or changed. Rows that it returned to the last poll may come again,
 * since it is asked from a date before that poll: they count only if they have changed since.
 */
async function readChangedRows(reader: ListReader, state: PollState, changeQuery: ChangeQuery) {
	const entries = await reader.allRows(changeQuery, always);
	// That a row does not come again does not mean that it was removed.
	const changes = diffRows(state.rows, entries, reader.rowID).filter(
		({ kind }) => kind !== 'removed',
	);
	return { entries, changes, snapshot: snapshotOf(entries) };
}

/** Up to so many removals are believed at once, and up to this share of the list. */
export const fewRemovals = { rows: 10, share: 0.1 };

/**
 * Parts removals into those that are believed and those that are not yet: a service in trouble may send an empty or
 * shortened list, and all of its rows would be removed, and added by the next poll. Rows that the last poll missed too
 * are believed to be removed.
 */
function confirmedRemovals(
	{ rows: snapshot, missing = 0 }: PollState,
	removals: RowChange[],
): { confirmed: RowChange[]; unconfirmed: RowChange[] } {
	const { among: missedBefore, others } = partedByLast(snapshot, missing, removals);
	const isFew =
		others.length <= fewRemovals.rows || others.length <= fewRemovals.share * rowCountIn(snapshot);
	return isFew
		? { confirmed: removals, unconfirmed: [] }
		: { confirmed: missedBefore, unconfirmed: others };
}

const fullComparison: Detection = {
	knowsKindOfChange: true,
	async initialState(reader) {
		return { rows: snapshotOf(await reader.allRows({}, always)) };
	},
	async detectChanges(reader, state) {
		const changesTo = (entries: RowEntry[]) => diffRows(state.rows, entries, reader.rowID);
		const entries = await reader.allRows({}, (readEntries) =>
			changesTo(readEntries).some(({ kind }) => kind === 'removed'),
		);
		const changes = changesTo(entries);
		const removals = changes.filter(({ kind }) => kind === 'removed');
		const { confirmed, unconfirmed } = confirmedRemovals(state, removals);
		const others = changes.filter(({ kind }) => kind !== 'removed');
		return {
			changes: [...others, ...confirmed],
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

const changesSince: Detection = {
	knowsKindOfChange: false,
	async initialState(reader, settings) {
		const cursor = nextChangesSince(settings);
		const entries = await reader.allRows({ changesSince: cursor }, always);
		return { rows: snapshotOf(entries), cursor };
	},
	async detectChanges(reader, state, settings) {
		const cursor = nextChangesSince(settings, state.cursor);
		const changeQuery = state.cursor === undefined ? {} : { changesSince: state.cursor };
		const { changes, snapshot } = await readChangedRows(reader, state, changeQuery);
		return { changes, unconfirmed: [], nextState: { rows: snapshot, cursor } };
	},
};

export const detections: Record<TriggerSettings['detectBy'], Detection> = {
	fullComparison,
	changesSince,
};
