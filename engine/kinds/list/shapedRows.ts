// Shapes the rows of a list for the output, as the setting 'Output' says.
import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../form/settings';

/** A row without the fields that belong to the list and not to the record (the interface's "Common conventions"). */
export const simplifiedRow = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).filter(([name]) => name !== 'rowNum' && name !== 'rowVersion'),
	);

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
