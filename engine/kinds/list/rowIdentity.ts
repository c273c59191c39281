// Decides whether two rows of a list stand for the same record.
import type { IDataObject } from 'n8n-workflow';

import { digestOf } from './digest';
import { withoutFields } from './rowShape';

/** The same for the same row: its ID, or the digest of what it holds. The number 1 and the text '1' are two IDs. */
export type RowKey = number | string;

/**
 * @param idField the field that holds the ID of a row's record, if the list has one
 * @returns the ID of a row's record; undefined when the row has none
 */
export function idOf(row: IDataObject, idField?: string): RowKey | undefined {
	const id = idField === undefined ? undefined : row[idField];
	return typeof id === 'number' || (typeof id === 'string' && id.trim() !== '') ? id : undefined;
}

/** A row without an ID is known by all but `rowNum`, which tells its position and not its record. */
export const keyOf = (row: IDataObject, idField?: string): RowKey =>
	idOf(row, idField) ?? digestOf(withoutFields(row, ['rowNum']));
