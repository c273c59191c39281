// Reads the watched list. Rows that come are evidence that they are there; that others are not is only believed
// of a list that held still.
import type { IDataObject } from 'n8n-workflow';

import { unexpectedNotModified } from '../answer/failures';
import type { ListOperation } from '../area';
import { Failure } from '../failure';
import type { ListQuery } from '../form/filter';
import type { TriggerSettings } from '../form/trigger';
import { RowIdentity } from '../kinds/list/rowIdentity';
import { readPages } from '../kinds/list/readList';
import { ListPages } from '../kinds/list/listPages';
import type { Send } from '../send/sendTypes';
import { rowEntriesOf, snapshotOf, type RowEntry } from './snapshot';

/** What is asked for beside the list's own filters. */
export type Since = Pick<ListQuery, 'changesSince' | 'rowVersion'>;

/** How often a list is read in one poll at most, until it holds still. */
const maxReadings = 3;

export class ListReader {
	/** Field that names a row's record, if the list has one. */
	readonly rowID?: string;

	private readonly identity: RowIdentity;

	constructor(
		private readonly operation: ListOperation,
		private readonly filters: ListQuery,
		private readonly settings: TriggerSettings,
		readonly send: Send,
		/** Pages that may be asked for at once. */
		readonly pagesAhead: number,
	) {
		this.rowID = operation.idField;
		this.identity = new RowIdentity(operation.idField);
	}

	private async pages(since: Since, portion: Partial<TriggerSettings>): Promise<ListPages> {
		const query = { ...this.filters, ...since };
		const settings = { ...this.settings, ...portion };
		const read = await readPages(this, this.operation, { path: {}, query, settings });
		if (!(read instanceof ListPages)) throw unexpectedNotModified(read);
		return read;
	}

	/** The first rows. */
	async some(limit: number): Promise<IDataObject[]> {
		return (await this.pages({}, { returnAll: false, offset: 0, limit })).rows;
	}

	/**
	 * All rows. A page is cut from one state of the list, but between two pages a row may slip through: a list of
	 * several pages on which a row's absence depends counts when it came twice the same, and so does one that shows
	 * by itself that it moved.
	 * @param needsAll whether it would matter if one of the rows there are was not among these
	 * @throws Failure when the list did not hold still
	 */
	async all(since: Since, needsAll: (entries: RowEntry[]) => boolean): Promise<RowEntry[]> {
		let before: string | undefined;
		for (let reading = 0; reading < maxReadings; reading++) {
			const { rows, hints, count } = await this.pages(since, { returnAll: true, offset: 0 });
			const entries = await rowEntriesOf(rows, this.identity);
			if (hints.length === 0 && (count <= 1 || !needsAll(entries))) return entries;
			const now = snapshotOf(entries);
			if (now === before) return entries;
			before = now;
		}
		throw new Failure(
			`The list changed each of the ${maxReadings} times that it was read, so it is not certain which rows were removed`,
			'refused',
			{
				advice:
					"Nothing is lost: the next poll tries again. If it happens often, raise 'Page Size', so that fewer pages make up the list.",
			},
		);
	}
}
