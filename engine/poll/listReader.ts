// Reads the list that the trigger watches. A row that comes is certainly in the list. That a row is missing is
// believed only if the list did not change while it was read.
import type { IDataObject } from 'n8n-workflow';

import { unexpectedNotModified } from '../answer/answerFailures';
import type { ListOperation } from '../area';
import { Failure } from '../failure';
import type { ListQuery } from '../form/filter';
import type { ServiceConventions } from '../form/serviceConventions';
import type { TriggerSettings } from '../form/trigger';
import { RowIdentity } from '../kinds/list/rowIdentity';
import { readPages } from '../kinds/list/readList';
import { ListPages } from '../kinds/list/listPages';
import type { Send } from '../send/sendTypes';
import { rowEntriesOf, snapshotOf, type RowEntry } from './snapshot';

/** The query that asks only for what changed since a date; empty to ask for all rows. */
export type ChangeQuery = Pick<ListQuery, 'changesSince'>;

/** The most times that one poll reads the list to get two successive readings that are the same. */
const maxReadings = 3;

export class ListReader {
	/** The field that holds the ID of a row's record, if the list has one. */
	readonly rowID?: string;

	private readonly identity: RowIdentity;

	constructor(
		private readonly operation: ListOperation,
		private readonly filters: ListQuery,
		private readonly settings: TriggerSettings,
		readonly send: Send,
		/** The most pages requested at once. */
		readonly maxParallelPages: number,
		/** Is told in what the service's answers differ from their description. */
		readonly hint: (message: string) => void,
		readonly conventions: ServiceConventions,
	) {
		this.rowID = operation.idField;
		this.identity = new RowIdentity(operation.idField);
	}

	private async readListPages(
		changeQuery: ChangeQuery,
		wantedRows: Partial<TriggerSettings>,
	): Promise<ListPages> {
		const query = { ...this.filters, ...changeQuery };
		const settings = { ...this.settings, ...wantedRows };
		const pages = await readPages(this, this.operation, { path: {}, query, settings });
		if (!(pages instanceof ListPages)) throw unexpectedNotModified(pages);
		return pages;
	}

	/** Reads the first rows of the list. */
	async firstRows(limit: number): Promise<IDataObject[]> {
		return (await this.readListPages({}, { returnAll: false, offset: 0, limit })).rows;
	}

	/**
	 * Reads all rows. A single page is cut from one state of the list, but between two pages a row may move from one
	 * to the other and be missed. Where it matters that no row is missing, a list of several pages is
	 * therefore read until two successive readings are the same. So is any list of which the pages themselves show
	 * that it changed while it was read.
	 * @param needsAll whether it would matter if a row of the list was missing from these entries
	 * @throws Failure when no two successive readings were the same
	 */
	async allRows(
		changeQuery: ChangeQuery,
		needsAll: (entries: RowEntry[]) => boolean,
	): Promise<RowEntry[]> {
		let previousSnapshot: string | undefined;
		for (let reading = 0; reading < maxReadings; reading++) {
			const wantedRows = { returnAll: true, offset: 0 };
			const { rows, hints, pageCount } = await this.readListPages(changeQuery, wantedRows);
			const entries = await rowEntriesOf(rows, this.identity);
			if (hints.length === 0 && (pageCount <= 1 || !needsAll(entries))) return entries;
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
