import type { FastifyReply, FastifyRequest } from 'fastify';

import { invalid } from '../refusals.mts';
import type { Store } from '../store.mts';

export const shifts = (store: Store) => ({
	getShift({ params, headers }: FastifyRequest, reply: FastifyReply) {
		const record = store.get('shift', (params as { shiftID: number }).shiftID);
		if (!record) throw invalid({ field: 'shiftID', message: 'no shift has this ID' });
		if (headers.etag === record.rowVersion) return reply.code(304).send();
		return { shift: { ...record.data, rowVersion: record.rowVersion } };
	},
});
