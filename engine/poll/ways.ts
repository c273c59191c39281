// The ways to find what changed since the last poll, by the setting 'Detect By'.
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../failure';
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

/** Versions that are tried while the newest is looked for: each leaves half of them, as a rule. */
const mostSteps = 64;

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

const versionOf = ({ rowVersion }: IDataObject): string | undefined =>
	typeof rowVersion === 'string' && rowVersion !== '' ? rowVersion : undefined;

const noNewest = (why: string) =>
	new Failure(`The newest version of the rows cannot be told: ${why}`, 'refused', {
		advice: "Set 'Detect By' to Full Comparison, or ask the service's owner.",
	});

/**
 * The newest version of all rows. Versions are opaque, so the service is asked: of what is newer than a row in the
 * middle another one in the middle is taken, until nothing is newer.
 */
async function newestOfAll(reader: Reader): Promise<string | undefined> {
	let newest: string | undefined;
	let { counted } = await reader.some({}, 0, 1);
	for (let step = 0; counted > 0; step++) {
		if (step === mostSteps) {
			throw noNewest(`after ${step} of them the service still has newer ones`);
		}
		const since = newest === undefined ? {} : { rowVersion: newest };
		const { rows } = await reader.some(since, Math.floor(counted / 2), 1);
		const [row] = rows;
		if (!row) break;
		const version = versionOf(row);
		if (version === undefined) throw noNewest("a row has no 'rowVersion'");
		// A service may count the row itself among what changed since its version.
		if (version === newest) break;
		newest = version;
		({ counted } = await reader.some({ rowVersion: newest }, 0, 1));
	}
	return newest;
}

/** The newest version of rows that were read: later ones, which were not, must not be skipped. */
async function newestOf(reader: Reader, read: readonly Entry[]): Promise<string | undefined> {
	let candidates = [...new Set(read.flatMap(({ row }) => versionOf(row) ?? []))];
	for (;;) {
		const version = candidates[Math.floor(candidates.length / 2)];
		if (candidates.length <= 1 || version === undefined) return version;
		const newer = await reader.all({ rowVersion: version }, always);
		const versions = new Set(newer.map(({ row }) => versionOf(row)));
		const left = candidates.filter((one) => one !== version && versions.has(one));
		if (left.length === 0) return version;
		candidates = left;
	}
}

const rowVersion: Way = {
	tellsKinds: false,
	async begin(reader) {
		const cursor = await newestOfAll(reader);
		if (cursor === undefined) return { rows: '' };
		const entries = await reader.all({ rowVersion: cursor }, always);
		return { rows: snapshotOf(entries), cursor };
	},
	async find(reader, known) {
		const since = known.cursor === undefined ? {} : { rowVersion: known.cursor };
		const { entries, changes, remembered } = await told(reader, known, since);
		const cursor = (await newestOf(reader, entries)) ?? known.cursor;
		return { changes, known: { rows: remembered, cursor } };
	},
};

export const ways: Record<TriggerSettings['detectBy'], Way> = {
	fullComparison,
	changesSince,
	rowVersion,
};
