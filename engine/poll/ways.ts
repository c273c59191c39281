// The ways to find what changed since the last poll, by the setting 'Detect By'.
import type { TriggerSettings } from '../form/trigger';
import type { Reader, Since } from './reader';
import { compare, snapshotOf, type Change, type Entry } from './snapshot';

/** What a poll has to go by, and leaves to the next. */
export interface Known {
	/** Rows, as snapshot.ts writes them: of the whole list, or of what the service told the last time. */
	rows: string;
	/** What the service is asked from: a date, or the version of a row; undefined for all. */
	cursor?: string;
}

export interface Found {
	changes: Change[];
	/** To go by when all of the changes are told. */
	known: Known;
}

export interface Way {
	/** Where a trigger begins that starts from now. */
	begin: (reader: Reader, settings: TriggerSettings) => Promise<Known>;
	/** What changed since. */
	find: (reader: Reader, known: Known, settings: TriggerSettings) => Promise<Found>;
	/** Whether the service tells added rows from changed ones, and whether rows are gone. */
	tellsKinds: boolean;
}

const always = () => true;

/** The service tells rows that were added or changed; those of the last time come again where it asks from before. */
async function told(reader: Reader, { rows: before }: Known, since: Since) {
	const entries = await reader.all(since, always);
	const changes = compare(before, entries, reader.rowID).filter(({ kind }) => kind !== 'removed');
	return { entries, changes, remembered: snapshotOf(entries) };
}

const fullComparison: Way = {
	tellsKinds: true,
	async begin(reader) {
		return { rows: snapshotOf(await reader.all({}, always)) };
	},
	async find(reader, { rows: before }) {
		const changesTo = (entries: Entry[]) => compare(before, entries, reader.rowID);
		const entries = await reader.all({}, (read) =>
			changesTo(read).some(({ kind }) => kind === 'removed'),
		);
		return { changes: changesTo(entries), known: { rows: snapshotOf(entries) } };
	},
};

/** From when the service is asked the next time: taken before it is asked this time. */
const nextSince = ({ overlap = 0 }: TriggerSettings): string =>
	new Date(Date.now() - overlap * 60_000).toISOString();

const changesSince: Way = {
	tellsKinds: false,
	async begin(reader, settings) {
		const cursor = nextSince(settings);
		const entries = await reader.all({ changesSince: cursor }, always);
		return { rows: snapshotOf(entries), cursor };
	},
	async find(reader, known, settings) {
		const cursor = nextSince(settings);
		const since = known.cursor === undefined ? {} : { changesSince: known.cursor };
		const { changes, remembered } = await told(reader, known, since);
		return { changes, known: { rows: remembered, cursor } };
	},
};

/**
 * The version from which the service is asked the next time. Versions are opaque: which of them is the newest cannot
 * be told, and need not. Whatever is newer than the one in the middle comes again, is known, and is half as much each
 * time.
 */
function nextVersion(entries: readonly Entry[]): string | undefined {
	const versions = entries.flatMap(({ row: { rowVersion: version } }) =>
		typeof version === 'string' && version !== '' ? version : [],
	);
	return versions[Math.floor(versions.length / 2)];
}

const rowVersion: Way = {
	tellsKinds: false,
	async begin(reader) {
		const entries = await reader.all({}, always);
		return { rows: snapshotOf(entries), cursor: nextVersion(entries) };
	},
	async find(reader, known) {
		const since = known.cursor === undefined ? {} : { rowVersion: known.cursor };
		const { entries, changes, remembered } = await told(reader, known, since);
		const cursor = nextVersion(entries) ?? known.cursor;
		return { changes, known: { rows: remembered, cursor } };
	},
};

export const ways: Record<TriggerSettings['detectBy'], Way> = {
	fullComparison,
	changesSince,
	rowVersion,
};
