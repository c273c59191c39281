// n8n's data tables, as its own screens read and fill them.
import type { Session } from './n8n.mts';

interface Found {
	id: string;
	name: string;
	projectId: string;
}

async function pathOf(session: Session, table: string): Promise<string> {
	const { data } = (await session.get('/data-tables-global')) as { data: Found[] };
	const found = data.find(({ name }) => name === table);
	if (!found) throw new Error(`There is no data table ${table}`);
	return `/projects/${found.projectId}/data-tables/${found.id}`;
}

/** @param table its name; it has 250 rows at most */
export async function rowsIn(
	session: Session,
	table: string,
): Promise<Array<Record<string, string>>> {
	const rows = await session.get(`${await pathOf(session, table)}/rows?take=250`);
	return (rows as { data: Array<Record<string, string>> }).data;
}

/** @param table its name */
export async function insertRow(
	session: Session,
	table: string,
	row: Record<string, string>,
): Promise<void> {
	await session.post(`${await pathOf(session, table)}/insert`, { data: [row] });
}
