// What is returned of a list's rows, by the setting 'Output'.
import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../form/settings';

/** Without what belongs to the list and not to the record (the interface's "Common conventions"). */
export const simplified = (row: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(row).filter(([name]) => name !== 'rowNum' && name !== 'rowVersion'),
	);

const selected = (row: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(
		names.flatMap((name) => (Object.hasOwn(row, name) ? [[name, row[name]] as const] : [])),
	);

/** @param rows as the service sent them */
export function outputOf(
	rows: IDataObject[],
	{ output, outputFields = [] }: Settings,
): IDataObject[] {
	switch (output) {
		case 'raw':
			return rows;
		case 'simplified':
			return rows.map(simplified);
		case 'selected':
			return rows.map((row) => selected(row, outputFields));
	}
}
