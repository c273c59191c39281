// Reads a page of a list from a response.
import type { IDataObject } from 'n8n-workflow';

import { is, type Content } from '../../response/evidence';
import { integer, type ListOperation } from '../../area';
import type { Settings } from '../../form/settings';
import { isEmpty, isObject } from '../../http/json';

/** A page of a list. */
export interface Page {
	rows: IDataObject[];
	/** Undefined if the service gives no count. */
	totalRows?: number;
}

/** Whether a value is a whole number, 0 or more. */
const isCount = (one: unknown): one is number => Number.isSafeInteger(one) && Number(one) >= 0;

/** @param settings may name the list where the API spec does not show the operation */
export function pageContentOf(operation: ListOperation, { rowsKey = operation.rowsKey }: Settings) {
	return {
		expected: 'read',
		field: rowsKey,
		name: `'totalRows' and the list '${rowsKey}'`,
		find(body, normalizer, response) {
			const { deviations } = normalizer;
			if (is.blank(response) && response.status !== 204) return undefined;
			const totalRows = normalizer.valueOf(body, integer('totalRows')) ?? undefined;
			if (totalRows !== undefined && !isCount(totalRows)) return undefined;
			// An empty body is a list without rows, not an object without its list.
			const isNothing = is.blank(response) || isEmpty(body);
			const rows = isNothing ? undefined : normalizer.listOf(body, rowsKey, operation.columns);
			if (Array.isArray(rows)) {
				if (totalRows === undefined && rows.length > 0) deviations.add('noCount');
				return rows.every(isObject) ? { rows: rows as IDataObject[], totalRows } : undefined;
			}
			// A missing list means no rows only if the service counts none, or sent nothing else.
			if (rows === undefined ? totalRows !== 0 && !isNothing : !isEmpty(rows)) return undefined;
			deviations.add('noRows');
			return { rows: [], totalRows };
		},
	} satisfies Content<Page>;
}
