// Paged lists: `limit` and `offset` until as many rows are there as asked for, or as `totalRows` says exist.
import type { IDataObject } from 'n8n-workflow';

import type { ListOperation } from '../area';
import { isUnchanged, objectOf, unreadable, type Answer } from '../http/answer';
import { Failure } from '../failure';
import { withFilter } from '../filter';
import { buildRequest } from '../request';
import { unchanged, type Job, type Service } from './job';

interface Page {
	rows: IDataObject[];
	totalRows: number;
}

function pageOf(answer: Answer, key: string): Page {
	const { totalRows, [key]: rows } = objectOf(answer);
	if (!Array.isArray(rows) || !Number.isSafeInteger(totalRows)) {
		throw unreadable(answer, `'totalRows' and the list '${key}'`);
	}
	return { rows: rows as IDataObject[], totalRows: totalRows as number };
}

export async function list(
	{ send }: Service,
	operation: ListOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const { returnAll, limit, offset = 0, pageSize } = values.settings as Record<string, number>;
	const wanted = returnAll ? Infinity : Number(limit);
	const filters = withFilter(values.query);
	const rows: IDataObject[] = [];
	for (;;) {
		const position = Number(offset) + rows.length;
		const query = operation.paged
			? {
					...filters,
					limit: Math.min(Number(pageSize), wanted - rows.length),
					...(position > 0 && { offset: position }),
				}
			: {};
		const answer = await send(buildRequest(operation, { ...values, query }));
		if (isUnchanged(answer) && rows.length === 0) return [unchanged];
		const page = pageOf(answer, operation.key);
		// The next page begins after the rows that came, not those asked for: the service may cap a page.
		for (const row of page.rows) if (rows.length < wanted) rows.push(row);
		const read = Number(offset) + rows.length;
		if (rows.length >= wanted || read >= page.totalRows) return rows;
		if (page.rows.length === 0 || !operation.paged) {
			throw new Failure(
				`The list is incomplete: the service counts ${page.totalRows} rows, but sent none after row ${read}`,
				'refused',
				{ status: answer.status },
			);
		}
	}
}
