// Shapes the rows of a list for the output, as the setting 'Output' says.
import type { IDataObject } from 'n8n-workflow';

import type { ListOperation } from '../../area';
import type { Settings } from '../../form/settings';

/** @returns a copy of a row. Object.fromEntries() would take most of the time that is spent on a list. */
export function withoutFields(row: IDataObject, names: readonly string[]): IDataObject {
	// Only where it is a field already does the loop set it as one.
	const copy: IDataObject = Object.hasOwn(row, '__proto__') ? { ['__proto__']: null } : {};
	for (const name in row) {
		if (!names.includes(name)) copy[name] = row[name];
	}
	return copy;
}

/** The record of a row: without the fields that belong to the list (the API spec's "Common conventions"). */
export const recordOfRow = (row: IDataObject): IDataObject =>
	withoutFields(row, ['rowNum', 'rowVersion']);

/** @returns a function that shapes a row as the service sent it */
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
