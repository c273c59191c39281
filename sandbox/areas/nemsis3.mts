import type { FastifyRequest } from 'fastify';

import type { Store } from '../store.mts';
import { listed, numbered } from './listed.mts';

export const nemsis3 = (store: Store, maxPageSize: number) => ({
	listDeviceCodes({ query }: FastifyRequest) {
		const { totalRows, rows } = store.list('deviceCode', listed(query, maxPageSize));
		return {
			totalRows,
			ddevice: numbered(query, rows).map(({ rowNum, data }) => ({ rowNum, ...data })),
		};
	},
});
