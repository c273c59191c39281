// Reads the list that the trigger watches. A row that comes is certainly in the list. That a row is missing is
// believed only if the list did not change while it was read.
import type { TriggerSettings } from '../form/trigger';
import type { JobServices } from '../kinds/job';
import type { ListPages } from '../kinds/list/listPages';
import { readPages } from '../kinds/list/readList';
import { pollFailure } from './pollFailure';
import { rowEntriesOf, snapshotOf, type RowEntry } from './snapshot';
import type { TriggerInput } from './triggerInput';

/** The most times that one poll reads the list to get two successive readings that are the same. */
const maxReadings = 3;

/**
 * Reads rows of the watched list.
 * @param wantedRows settings that say how many
 * @param changesSince a date, to read only what has changed since
 */
export async function readRows(
	services: JobServices,
	{ watchedList, filters, settings }: TriggerInput,
	wantedRows: Partial<TriggerSettings>,
	changesSince?: string,
): Promise<ListPages> {
	const pages = await readPages(services, watchedList.operation, {
		path: {},
		query: { ...filters, ...(changesSince !== undefined && { changesSince }) },
		// What of a row is given to an execution is decided when its change is known.
		settings: { ...settings, offset: 0, output: 'raw', ...wantedRows },
	});
	// Without an ETag, no response says that nothing was modified.
	return pages!;
}

/**
 * Reads all rows. A single page is cut from one state of the list, but between two pages a row may move from one
 * to the other and be missed. Where it matters that no row is missing, a list of several pages is therefore read
 * until two successive readings are the same. So is any list whose pages themselves show that it changed while it
 * was read.
 * @param changesSince a date, to read only what has changed since
 * @param needsAll whether it would matter if a row of the list was missing from these entries
 * @throws Failure when no two successive readings were the same, or not all rows can be had
 */
export async function readAllRows(
	services: JobServices,
	input: TriggerInput,
	changesSince: string | undefined,
	needsAll: (entries: RowEntry[]) => boolean,
): Promise<RowEntry[]> {
	let previousSnapshot: string | undefined;
	for (let reading = 0; reading < maxReadings; reading++) {
		const pages = await readRows(services, input, { returnAll: true }, changesSince);
		if (pages.partial !== undefined) {
			throw pollFailure(
				`${pages.partial}: such a list cannot be watched`,
				'Ask the service owner for a way to get the other rows.',
			);
		}
		const entries = await rowEntriesOf(
			pages.rows,
			input.watchedList.operation.idField,
			input.settings.onlyFields,
		);
		const isSure = pages.hints.length === 0 && (pages.pageCount <= 1 || !needsAll(entries));
		const snapshot = snapshotOf(entries);
		if (isSure || snapshot === previousSnapshot) return entries;
		previousSnapshot = snapshot;
	}
	throw pollFailure(
		`The list changed each of the ${maxReadings} times it was read, so it is unclear which rows were removed`,
		"Nothing is lost: the next poll tries again. If it happens often, raise 'Page Size' in the credential, so that fewer pages make up the list.",
	);
}
