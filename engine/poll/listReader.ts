// Reads the list that the trigger watches. A row that comes is certainly in the list. That a row is missing is
// believed only if the list did not change while it was read.
import { isDocumented } from '../area';
import { readFailure } from '../failure';
import type { Settings } from '../form/settings';
import type { JobServices } from '../kinds/job';
import { listChangedHint, type ListPages } from '../kinds/list/listPages';
import { readPages } from '../kinds/list/readList';
import { diffRows, rowEntriesOf, snapshotOf } from './snapshot';
import type { TriggerInput } from './triggerInput';

/** The most times that one poll reads the list to get two successive readings that are the same. */
const maxReadings = 3;

/** The rows that a poll has read, and how they differ from the last poll's. */
export type Reading = Awaited<ReturnType<typeof readChanges>>;

/**
 * Reads rows of the watched list.
 * @param wantedRows settings that say how many, and which of the fields in 'Only When These Fields Change' one of them has
 */
export async function readRows(
	services: JobServices,
	{ watchedList: { operation }, path, query, settings }: TriggerInput,
	wantedRows: Partial<Settings>,
): Promise<ListPages> {
	// What of a row is given to an execution is decided when its change is known.
	const wanted: Settings = { ...settings, offset: 0, output: 'raw', ...wantedRows };
	const pages = await readPages(services, operation, { path, query, settings: wanted });
	// Without an ETag, no response says that nothing was modified.
	const { rows } = pages!;
	// Without the right name, each edited row would count as another row, or none as changed.
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
 * Reads all rows, and compares them with the last poll's. A single page is cut from one state of the list, but between
 * two pages a row may move from one to the other and be missed. Where it matters that no row is missed, a list of
 * several pages is therefore read until two successive readings are the same. A reading whose pages themselves show
 * that the list changed counts for nothing. Each reading asks for another number of rows a page, so that a cache cannot
 * answer it with the pages of the one before.
 * @param lastSnapshot of the last poll; undefined where these rows are to be the first that are known. Then there are no
 * changes, but a row that is missed now would be one later.
 * @throws Failure when no two successive readings were the same, or not all rows can be had
 */
export async function readChanges(
	services: JobServices,
	input: TriggerInput,
	lastSnapshot: string | undefined,
) {
	const { idField } = input.watchedList.operation;
	const { onlyFields } = input.settings;
	// Later, rows that have lost the last value of a field have changed: a service may leave out what is empty.
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
