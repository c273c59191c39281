// Reads and writes spreadsheets with the library that n8n itself uses.
import { createRequire } from 'node:module';

import { ensureN8nInstalled } from './install.mts';

interface Workbook {
	SheetNames: string[];
	Sheets: Record<string, object>;
}

interface Library {
	read: (content: Buffer) => Workbook;
	write: (
		workbook: Workbook,
		options: { type: 'buffer'; bookType: 'xlsx' },
	) => Uint8Array<ArrayBuffer>;
	utils: {
		sheet_to_json: (sheet: object) => Array<Record<string, unknown>>;
		json_to_sheet: (rows: readonly object[]) => object;
	};
}

const library = async () => createRequire(await ensureN8nInstalled())('@e965/xlsx') as Library;

/** @returns the rows of the first sheet, whose first row has the column names */
export async function readSpreadsheet(content: Buffer): Promise<Array<Record<string, unknown>>> {
	const { read, utils } = await library();
	const { SheetNames, Sheets } = read(content);
	return utils.sheet_to_json(Sheets[SheetNames[0]!]!);
}

/** @returns an Excel file whose only sheet has these rows, below a row of column names */
export async function spreadsheetOf(rows: readonly object[]) {
	const { write, utils } = await library();
	const workbook = { SheetNames: ['Sheet'], Sheets: { Sheet: utils.json_to_sheet(rows) } };
	return write(workbook, { type: 'buffer', bookType: 'xlsx' });
}
