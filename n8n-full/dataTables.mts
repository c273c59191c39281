// Reads and fills n8n's data tables through the API that its own screens use.
import type { N8nSession } from './fullN8n.mts';

interface Found {
	id: string;
	name: string;
	projectId: string;
}

async function pathOf(session: N8nSession, table: string): Promise<string> {
	const { data } = (await session.get('/data-tables-global')) as { data: Found[] };
	const found = data.find(({ name }) => name === table);
	if (!found) throw new Error(`There is no data table ${table}`);
	return `/projects/${found.projectId}/data-tables/${found.id}`;
}

/** @param table the name of the table; it has at most 250 rows */
export async function dataTableRows(
	session: N8nSession,
	table: string,
): Promise<Array<Record<string, string>>> {
	const rows = await session.get(`${await pathOf(session, table)}/rows?take=250`);
	return (rows as { data: Array<Record<string, string>> }).data;
}

/** @param table the name of the table */
export async function insertDataTableRow(
	session: N8nSession,
	table: string,
	row: Record<string, string>,
): Promise<void> {
	await session.post(`${await pathOf(session, table)}/insert`, { data: [row] });
}

/** @param columns their names; all hold text */
export async function createDataTable(
	session: N8nSession,
	name: string,
	columns: readonly string[],
): Promise<void> {
	const { id } = (await session.get('/projects/personal')) as { id: string };
	const ofText = columns.map((column) => ({ name: column, type: 'string' }));
	await session.post(`/projects/${id}/data-tables`, { name, columns: ofText });
}

/**
 * Changes a row as a person does in the table.
 * @param row a column with a value that no other row has
 */
export async function changeDataTableRow(
	session: N8nSession,
	table: string,
	row: Record<string, string>,
	changes: Record<string, string>,
): Promise<void> {
	const filters = Object.entries(row).map(([columnName, value]) => ({
		columnName,
		condition: 'eq',
		value,
	}));
	const filter = { type: 'and', filters };
	await session.post(`${await pathOf(session, table)}/upsert`, { filter, data: changes });
}
