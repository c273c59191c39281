import type { FastifyRequest } from 'fastify';

import type { RecordStore } from '../recordStore.mts';
import { listed, numbered } from './listed.mts';

export const vendors = (store: RecordStore, maxPageSize: number) => ({
	listVendors({ query }: FastifyRequest) {
		const { totalRows, rows } = store.list('vendor', listed(query, maxPageSize));
		return {
			totalRows,
			vendors: numbered(query, rows).map(({ rowNum, id, data, archived, rowVersion }) => ({
				rowNum,
				departmentBusinessID: id,
				...data,
				archive: String(archived),
				rowVersion,
			})),
		};
	},
});
