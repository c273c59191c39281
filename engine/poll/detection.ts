// The ways to find what changed since the last poll, by the setting 'Detect By'.
import type { TriggerSettings } from '../form/trigger';
import type { ListReader, Since } from './listReader';
import { diffRows, snapshotOf, type RowChange, type RowEntry } from './snapshot';

/** What a poll has to go by, and leaves to the next. */
export interface PollState {
	/** Rows, as snapshot.ts writes them: of the whole list, or of what the service told the last time. */
	rows: string;
	/** What the service is asked from: a date, or the version of a row; undefined for all. */
	cursor?: string;
}

export interface DetectedChanges {
	changes: RowChange[];
	/** To go by when all of the changes are told. */
	next: PollState;
}

export interface Detection {
	/** Where a trigger begins that starts from now. */
	begin: (reader: ListReader, settings: TriggerSettings) => Promise<PollState>;
	/** What changed since. */
	find: (
		reader: ListReader,
		known: PollState,
		settings: TriggerSettings,
	) => Promise<DetectedChanges>;
	/** Whether the service tells added rows from changed ones, and whether rows are gone. */
	tellsKinds: boolean;
}

const always = () => true;

/** The service tells rows that were added or changed; those of the last time come again where it asks from before. */
async function readTold(reader: ListReader, { rows: before }: PollState, since: Since) {
	const entries = await reader.all(since, always);
	const changes = diffRows(before, entries, reader.rowID).filter(({ kind }) => kind !== 'removed');
	return { entries, changes, remembered: snapshotOf(entries) };
}

const fullComparison: Detection = {
	tellsKinds: true,
	async begin(reader) {
		return { rows: snapshotOf(await reader.all({}, always)) };
	},
	async find(reader, { rows: before }) {
		const changesTo = (entries: RowEntry[]) => diffRows(before, entries, reader.rowID);
		const entries = await reader.all({}, (read) =>
			changesTo(read).some(({ kind }) => kind === 'removed'),
		);
		return { changes: changesTo(entries), next: { rows: snapshotOf(entries) } };
	},
};

/** From when the service is asked the next time: taken before it is asked this time. */
const nextSince = ({ overlap = 0 }: TriggerSettings): string =>
	new Date(Date.now() - overlap * 60_000).toISOString();

const changesSince: Detection = {
	tellsKinds: false,
	async begin(reader, settings) {
		const cursor = nextSince(settings);
		const entries = await reader.all({ changesSince: cursor }, always);
		return { rows: snapshotOf(entries), cursor };
	},
	async find(reader, known, settings) {
		const cursor = nextSince(settings);
		const since = known.cursor === undefined ? {} : { changesSince: known.cursor };
		const { changes, remembered } = await readTold(reader, known, since);
		return { changes, next: { rows: remembered, cursor } };
	},
};

/**
 * The version from which the service is asked the next time. Versions are opaque: which of them is the newest cannot
 * be told, and need not. Whatever is newer than the one in the middle comes again, is known, and is half as much each
 * time.
 */
function nextVersion(entries: readonly RowEntry[]): string | undefined {
	const versions = entries.flatMap(({ row: { rowVersion: version } }) =>
		typeof version === 'string' && version !== '' ? version : [],
	);
	return versions[Math.floor(versions.length / 2)];
}

const rowVersion: Detection = {
	tellsKinds: false,
	async begin(reader) {
		const entries = await reader.all({}, always);
		return { rows: snapshotOf(entries), cursor: nextVersion(entries) };
	},
	async find(reader, known) {
		const since = known.cursor === undefined ? {} : { rowVersion: known.cursor };
		const { entries, changes, remembered } = await readTold(reader, known, since);
		const cursor = nextVersion(entries) ?? known.cursor;
		return { changes, next: { rows: remembered, cursor } };
	},
};

export const detections: Record<TriggerSettings['detectBy'], Detection> = {
	fullComparison,
	changesSince,
	rowVersion,
};
