// Reads the list that the trigger watches. A row that comes is certainly in the list. That a row is missing is
// believed only if the list did not change while it was read.
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../failure';
import type { TriggerSettings } from '../form/trigger';
import type { JobServices } from '../kinds/job';
import type { ListPages } from '../kinds/list/listPages';
import { readPages } from '../kinds/list/readList';
import { RowIdentity } from '../kinds/list/rowIdentity';
import { rowEntriesOf, snapshotOf, type RowEntry } from './snapshot';
import type { TriggerInput } from './triggerInput';

/** The most times that one poll reads the list to get two successive readings that are the same. */
const maxReadings = 3;

interface RowsToRead {
	/** Only what changed since a date. */
	changesSince?: string;
	/** Whether it would matter if a row of the list was missing from these entries; without it, they all matter. */
	needsAll?: (entries: RowEntry[]) => boolean;
}

export class ListReader {
	/** The field that holds the ID of a row's record, if the list has one. */
	readonly idField?: string;

	/** Whether the list came in another way than its description says. */
	usedTolerance = false;

	private readonly services: JobServices;

	constructor(
		services: JobServices,
		private readonly input: TriggerInput,
	) {
		this.idField = input.watchedList.operation.idField;
		this.services = {
			...services,
			hint: (message) => {
				this.usedTolerance = true;
				services.hint(message);
			},
		};
	}

	private async readListPages(
		wantedRows: Partial<TriggerSettings>,
		changesSince?: string,
	): Promise<ListPages> {
		const { watchedList, filters, settings } = this.input;
		// Without an ETag, no answer says that nothing was modified.
		const pages = await readPages(this.services, watchedList.operation, {
			path: {},
			query: { ...filters, ...(changesSince !== undefined && { changesSince }) },
			// What of a row is given to an execution is decided when its change is known.
			settings: { ...settings, offset: 0, output: 'raw', ...wantedRows },
		});
		return pages!;
	}

	/** Reads the first rows of the list. */
	async firstRows(limit: number): Promise<IDataObject[]> {
		return (await this.readListPages({ returnAll: false, limit })).rows;
	}

	/**
	 * Reads all rows. A single page is cut from one state of the list, but between two pages a row may move from one
	 * to the other and be missed. Where it matters that no row is missing, a list of several pages is
	 * therefore read until two successive readings are the same. So is any list of which the pages themselves show
	 * that it changed while it was read.
	 * @throws Failure when no two successive readings were the same, or not all rows can be had
	 */
	async allRows({ changesSince, needsAll = () => true }: RowsToRead = {}): Promise<RowEntry[]> {
		const identity = new RowIdentity(this.idField);
		let previousSnapshot: string | undefined;
		for (let reading = 0; reading < maxReadings; reading++) {
			const pages = await this.readListPages({ returnAll: true }, changesSince);
			if (pages.partial !== undefined) {
				throw new Failure(`${pages.partial}: such a list cannot be watched`, 'refused', {
					advice: "Ask the service's owner for a way to get the other rows.",
				});
			}
			const entries = await rowEntriesOf(pages.rows, identity);
			const isSure = pages.hints.length === 0;
			if (isSure && (pages.pageCount <= 1 || !needsAll(entries))) return entries;
			const snapshot = snapshotOf(entries);
			if (snapshot === previousSnapshot) return entries;
			previousSnapshot = snapshot;
		}
		throw new Failure(
			`The list changed each of the ${maxReadings} times that it was read, so it is not certain which rows were removed`,
			'refused',
			{
				advice:
					"Nothing is lost: the next poll tries again. If it happens often, raise 'Page Size' in the credential, so that fewer pages make up the list.",
			},
		);
	}
}
