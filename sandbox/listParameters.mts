// The list parameters of a request → what the store selects.
import { badRequest } from './errorResponses.mts';
import type { ListSelection, StoredRecord } from './recordStore.mts';

type Query = Omit<ListSelection, 'showArchived'> & { showArchived?: string };

/**
 * @param maxPageSize the service returns at most so many rows, whatever `limit` asks for
 * @throws ErrorResponse (400) when a date cannot be read
 */
export function selectionOf(query: unknown, maxPageSize: number): ListSelection {
	const { showArchived, limit = maxPageSize, ...selection } = query as Query;
	if (selection.changesSince !== undefined && Number.isNaN(Date.parse(selection.changesSince))) {
		throw badRequest({ field: 'changesSince', message: 'is not a date' });
	}
	return {
		...selection,
		showArchived: showArchived === 'true',
		limit: Math.min(limit, maxPageSize),
	};
}

/** Rows with their `rowNum`, which counts from the beginning of the list, not of the page. */
export const withRowNumbers = (query: unknown, rows: StoredRecord[]) =>
	rows.map((row, index) => ({ rowNum: ((query as Query).offset ?? 0) + index + 1, ...row }));
