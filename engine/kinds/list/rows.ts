// The rows of a list: the record that each is about, and their shape in the output.
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ListOperation } from '../../area';
import type { Settings } from '../../form/settings';
import { isObject } from '../../http/json';

/** For JSON.stringify(): the same text for each order of keys. */
export const withSortedKeys = (_key: string, value: unknown): unknown =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

/** @returns the digest of a value read from JSON, independent of key order: 60 bits in 10 characters */
export const digestOf = (value: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(value, withSortedKeys) ?? '')
		.digest('base64url')
		.slice(0, 10);

/** Identifies a row: its ID, or the digest of its values. The number 1 and the text '1' are different IDs. */
export type RowKey = number | string;

/**
 * @param idField the field with the ID of a row's record, if the list has one
 * @returns the ID of a row's record; undefined if the row has none
 */
export function idOf(row: IDataObject, idField?: string): RowKey | undefined {
	const id = idField === undefined ? undefined : row[idField];
	return typeof id === 'number' || (typeof id === 'string' && id.trim() !== '') ? id : undefined;
}

/** @returns a copy of a row. With Object.fromEntries(), this would take most of the time spent on a list. */
function withoutFields(row: IDataObject, names: readonly string[]): IDataObject {
	// Without this field, assigning copy['__proto__'] in the loop would set the prototype.
	const copy: IDataObject = Object.hasOwn(row, '__proto__') ? { ['__proto__']: null } : {};
	for (const name in row) if (!names.includes(name)) copy[name] = row[name];
	return copy;
}

/** A row without an ID is identified by all values but `rowNum`, which is its position and not part of its record. */
export const rowKeyOf = (row: IDataObject, idField?: string): RowKey =>
	idOf(row, idField) ?? digestOf(withoutFields(row, ['rowNum']));

/** The record of a row: the row without the fields that belong to the list (the API spec's "Common conventions"). */
export const recordOfRow = (row: IDataObject) => withoutFields(row, ['rowNum', 'rowVersion']);

/** @returns a function that turns a row from the service into the shape set by 'Output' */
export function rowShape(
	{ output, outputFields }: Settings,
	{ simplified }: ListOperation,
): (row: IDataObject) => IDataObject {
	const names = output === 'selected' ? outputFields : simplified;
	if (output === 'raw' || !names) return (row) => row;
	return (row) => {
		const copy: IDataObject = {};
		for (const name of names) if (Object.hasOwn(row, name)) copy[name] = row[name];
		return copy;
	};
}
