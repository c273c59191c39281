// What is returned of a list's rows, by the setting 'Output'.
import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../form/settings';

/** Without what belongs to the list and not to the record (the interface's "Common conventions"). */
export function simplifiedRow(row: IDataObject): IDataObject {
	const record: IDataObject = {};
	for (const name of Object.keys(row)) {
		if (name !== 'rowNum' && name !== 'rowVersion') record[name] = row[name];
	}
	return record;
}

const selectedFields = (row: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(
		names.flatMap((name) => (Object.hasOwn(row, name) ? [[name, row[name]] as const] : [])),
	);

/** @param rows as the service sent them */
export function shapedRows(
	rows: IDataObject[],
	{ output, outputFields = [] }: Settings,
): IDataObject[] {
	switch (output) {
		case 'raw':
			return rows;
		case 'simplified':
			return rows.map(simplifiedRow);
		case 'selected':
			return rows.map((row) => selectedFields(row, outputFields));
	}
}
