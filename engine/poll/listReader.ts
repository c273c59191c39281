// Reads the list that the trigger watches. A row in the response is certainly in the list; a missing row counts as
// missing only if the list did not change while it was read.
import { isDocumented } from '../area';
import { readFailure } from '../failure';
import type { Settings } from '../form/settings';
import type { JobServices } from '../kinds/job';
import { listChangedHint, type ListPages } from '../kinds/list/listPages';
import { readPages } from '../kinds/list/readList';
import { diffRows, rowEntriesOf, snapshotOf } from './snapshot';
import type { TriggerInput } from './triggerInput';

/** How often one poll reads the list, at most, to get two identical readings in a row. */
const maxReadings = 3;

/** The rows that a poll has read, and their differences from the last poll's. */
export type Reading = Awaited<ReturnType<typeof readChanges>>;

/**
 * Reads rows of the watched list.
 * @param wantedRows the settings for how many rows to read; each of its `onlyFields` must occur in some row
 * @throws Failure if one of these fields, or the ID field, occurs in no row
 */
export async function readRows(
	services: JobServices,
	{ watchedList: { operation }, path, query, settings }: TriggerInput,
	wantedRows: Partial<Settings>,
): Promise<ListPages> {
	// Rows are read whole, since what is delivered of each is decided once its change is known.
	const wanted: Settings = { ...settings, offset: 0, output: 'raw', ...wantedRows };
	const pages = await readPages(services, operation, { path, query, settings: wanted });
	// Without an ETag in the request, the response cannot be "not modified", so there are pages.
	const { rows } = pages!;
	// With a wrong name, each edited row would count as a new row, or no row as changed.
	const names = isDocumented(operation) ? [] : [operation.idField!, ...wanted.onlyFields];
	const unknown = names.find((name) => !rows.some((row) => Object.hasOwn(row, name)));
	if (rows.length > 0 && unknown !== undefined)
		throw readFailure(
			`No row of the list has the field '${unknown}'`,
			`Correct 'ID Field' or 'Only When These Fields Change'. The rows have: ${Object.keys(rows[0]!).join(', ')}.`,
		);
	return pages!;
}

/**
 * Reads all rows and compares them with the last poll's. A single page shows one state of the list, but between two
 * requests a row may move from one page to another and be missed. So if it matters that no row is missed, a list of
 * several pages is read until two successive readings are identical. A reading whose own pages show that the list
 * changed does not count. Each reading uses a different page size, so that a cache cannot repeat the previous one's
 * pages.
 * @param lastSnapshot of the last poll; undefined if there is none: then nothing counts as changed, but a row missed now
 * would later count as added
 * @throws Failure if no two successive readings were identical, or not all rows can be read
 */
export async function readChanges(
	services: JobServices,
	input: TriggerInput,
	lastSnapshot: string | undefined,
) {
	const { idField } = input.watchedList.operation;
	const { onlyFields } = input.settings;
	// Later polls do not check these names. A field missing from all rows may then be a change: a service may omit
	// empty values.
	const wanted = { returnAll: true, onlyFields: lastSnapshot ? [] : onlyFields };
	let lastReading: string | undefined;
	for (let count = 0; count < maxReadings; count++) {
		const pageSize = Math.max(1, services.pageSize - count);
		const pages = await readRows({ ...services, pageSize }, input, wanted);
		if (pages.incompleteMessage !== undefined)
			throw readFailure(
				`${pages.incompleteMessage}: such a list cannot be watched`,
				'Ask the service owner for a way to get the other rows.',
			);
		const entries = await rowEntriesOf(pages.rows, idField, onlyFields);
		const thisReading = await snapshotOf(entries);
		const snapshot = lastSnapshot ?? thisReading;
		const changes = snapshot === thisReading ? [] : await diffRows(snapshot, entries);
		const needsAll = lastSnapshot === undefined || changes.some(({ kind }) => kind === 'removed');
		const isSure = pages.hints.length === 0 && (pages.pageCount <= 1 || !needsAll);
		const hasChanged = pages.hints.includes(listChangedHint);
		if (isSure || (thisReading === lastReading && !hasChanged)) return { entries, changes };
		lastReading = hasChanged ? undefined : thisReading;
	}
	throw readFailure(
		`The list changed each of the ${maxReadings} times it was read, so it is unclear which rows were removed`,
		"Nothing is lost: the next poll tries again. If it happens often, raise 'Page Size' in the credential, so that fewer pages make up the list.",
	);
}
