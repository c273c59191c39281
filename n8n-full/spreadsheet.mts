// Reads spreadsheets with the library that n8n itself uses.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { ensureN8nInstalled } from './install.mts';

interface Library {
	read: (content: Buffer) => { SheetNames: string[]; Sheets: Record<string, object> };
	utils: { sheet_to_json: (sheet: object) => Array<Record<string, unknown>> };
}

/** @returns the rows of the first sheet; the names of their columns are in its first row */
export async function readSpreadsheet(path: string): Promise<Array<Record<string, unknown>>> {
	const { read, utils } = createRequire(await ensureN8nInstalled())('@e965/xlsx') as Library;
	const { SheetNames, Sheets } = read(readFileSync(path));
	return utils.sheet_to_json(Sheets[SheetNames[0]!]!);
}
