import type { FastifyRequest } from 'fastify';

import type { Selection, Store } from '../store.mts';
import { listed } from './listed.mts';

export const vendors = (store: Store, maxPageSize: number) => ({
	listVendors({ query }: FastifyRequest) {
		const { totalRows, rows } = store.list('vendor', listed(query as Selection, maxPageSize));
		const { offset = 0 } = query as Selection;
		return {
			totalRows,
			vendors: rows.map(({ id, data, archived, rowVersion }, index) => ({
				rowNum: offset + index + 1,
				departmentBusinessID: id,
				...data,
				archive: String(archived),
				rowVersion,
			})),
		};
	},
});
