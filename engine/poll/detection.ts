// The ways to detect what changed in a list since the last poll, one for each choice of the setting 'Detect By'.
import type { TriggerSettings } from '../form/trigger';
import type { ChangeQuery, ListReader } from './listReader';
import { diffRows, snapshotOf, type RowChange, type RowEntry } from './snapshot';

/** What one poll leaves for the next. */
export interface PollState {
	/** A snapshot, as snapshotOf() writes it: of the whole list, or of the rows that the service last returned. */
	rows: string;
	/** The date or row version since which the service is asked for changes; undefined to ask for all rows. */
	cursor?: string;
}

export interface DetectedChanges {
	changes: RowChange[];
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
 * since it is asked from a date or version before that poll: they count only if they have changed since.
 */
async function readChangedRows(reader: ListReader, state: PollState, changeQuery: ChangeQuery) {
	const entries = await reader.allRows(changeQuery, always);
	// That a row does not come again does not mean that it was removed.
	const changes = diffRows(state.rows, entries, reader.rowID).filter(
		({ kind }) => kind !== 'removed',
	);
	return { entries, changes, snapshot: snapshotOf(entries) };
}

const fullComparison: Detection = {
	knowsKindOfChange: true,
	async initialState(reader) {
		return { rows: snapshotOf(await reader.allRows({}, always)) };
	},
	async detectChanges(reader, { rows: snapshot }) {
		const changesTo = (entries: RowEntry[]) => diffRows(snapshot, entries, reader.rowID);
		const entries = await reader.allRows({}, (readEntries) =>
			changesTo(readEntries).some(({ kind }) => kind === 'removed'),
		);
		return { changes: changesTo(entries), nextState: { rows: snapshotOf(entries) } };
	},
};

/**
 * The date since which the next poll asks for changes. To be called before this poll asks, so that no change falls
 * between the two.
 */
const nextChangesSince = ({ overlap = 0 }: TriggerSettings): string =>
	new Date(Date.now() - overlap * 60_000).toISOString();

const changesSince: Detection = {
	knowsKindOfChange: false,
	async initialState(reader, settings) {
		const cursor = nextChangesSince(settings);
		const entries = await reader.allRows({ changesSince: cursor }, always);
		return { rows: snapshotOf(entries), cursor };
	},
	async detectChanges(reader, state, settings) {
		const cursor = nextChangesSince(settings);
		const changeQuery = state.cursor === undefined ? {} : { changesSince: state.cursor };
		const { changes, snapshot } = await readChangedRows(reader, state, changeQuery);
		return { changes, nextState: { rows: snapshot, cursor } };
	},
};

/**
 * The row version since which the next poll asks for changes: that of the row in the middle. Versions are opaque, so
 * that nobody can tell which of them is the newest; with any of them no change is missed. Rows that are newer than
 * the one in the middle come again and are recognized, and each time they are half as many.
 */
function nextRowVersion(entries: readonly RowEntry[]): string | undefined {
	const versions = entries.flatMap(({ row: { rowVersion: version } }) =>
		typeof version === 'string' && version !== '' ? version : [],
	);
	return versions[Math.floor(versions.length / 2)];
}

const rowVersion: Detection = {
	knowsKindOfChange: false,
	async initialState(reader) {
		const entries = await reader.allRows({}, always);
		return { rows: snapshotOf(entries), cursor: nextRowVersion(entries) };
	},
	async detectChanges(reader, state) {
		const changeQuery = state.cursor === undefined ? {} : { rowVersion: state.cursor };
		const { entries, changes, snapshot } = await readChangedRows(reader, state, changeQuery);
		const cursor = nextRowVersion(entries) ?? state.cursor;
		return { changes, nextState: { rows: snapshot, cursor } };
	},
};

export const detections: Record<TriggerSettings['detectBy'], Detection> = {
	fullComparison,
	changesSince,
	rowVersion,
};
