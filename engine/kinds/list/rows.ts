// The rows of a list: which record each stands for, and what of it is put out.
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ListOperation } from '../../area';
import type { Settings } from '../../form/settings';
import { isObject } from '../../http/json';

const withSortedKeys = (_key: string, value: unknown): unknown =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

/** @returns the digest of a value read from JSON, whatever the order of its keys: 60 bits in 10 letters */
export const digestOf = (value: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(value, withSortedKeys) ?? '')
		.digest('base64url')
		.slice(0, 10);

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

/** @returns a copy of a row. Object.fromEntries() would take most of the time that is spent on a list. */
function withoutFields(row: IDataObject, names: readonly string[]): IDataObject {
	// Only where it is a field already does the loop set it as one.
	const copy: IDataObject = Object.hasOwn(row, '__proto__') ? { ['__proto__']: null } : {};
	for (const name in row) if (!names.includes(name)) copy[name] = row[name];
	return copy;
}

/** A row without an ID is known by all but `rowNum`, which tells its position and not its record. */
export const rowKeyOf = (row: IDataObject, idField?: string): RowKey =>
	idOf(row, idField) ?? digestOf(withoutFields(row, ['rowNum']));

/** The record of a row: without the fields that belong to the list (the API spec's "Common conventions"). */
export const recordOfRow = (row: IDataObject): IDataObject =>
	withoutFields(row, ['rowNum', 'rowVersion']);

/** @returns a function that shapes a row as the service sent it for the output, as the setting 'Output' says */
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
