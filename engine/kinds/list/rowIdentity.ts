// Decides whether two rows of a list stand for the same record.
import type { IDataObject } from 'n8n-workflow';

import { digestOf } from './digest';
import { withoutFields } from './rowShape';

/** The same for the same row: its ID, or the digest of what it holds. The number 1 and the text '1' are two IDs. */
export type RowKey = number | string;

/** Tells rows apart by the ID of their record where they have one, and otherwise by all they hold. */
export class RowIdentity {
	/** @param idField the field that holds the ID of a row's record, if the list has one */
	constructor(private readonly idField?: string) {}

	/** @returns the ID of a row's record; undefined when the row has none */
	idOf(row: IDataObject): RowKey | undefined {
		const id = this.idField === undefined ? undefined : row[this.idField];
		const isId = typeof id === 'number' || (typeof id === 'string' && id.trim() !== '');
		return isId ? id : undefined;
	}

	/** A row without an ID is known by all but `rowNum`, which tells its position and not its record. */
	keyOf(row: IDataObject): RowKey {
		const id = this.idOf(row);
		if (id !== undefined) return id;
		return digestOf(withoutFields(row, ['rowNum']));
	}
}
