import type { FastifyRequest } from 'fastify';

import type { RecordStore } from '../recordStore.mts';
import { listed, numbered } from './listed.mts';

export const nemsis3 = (store: RecordStore, maxPageSize: number) => ({
	listDeviceCodes({ query }: FastifyRequest) {
		const { totalRows, rows } = store.list('deviceCode', listed(query, maxPageSize));
		return {
			totalRows,
			ddevice: numbered(query, rows).map(({ rowNum, data }) => ({ rowNum, ...data })),
		};
	},
});
