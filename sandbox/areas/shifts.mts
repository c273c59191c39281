import type { FastifyReply, FastifyRequest } from 'fastify';

import { badRequest } from '../errorResponses.mts';
import type { RecordStore } from '../recordStore.mts';

export const shifts = (store: RecordStore) => ({
	getShift({ params, headers }: FastifyRequest, reply: FastifyReply) {
		const record = store.get('shift', (params as { shiftID: number }).shiftID);
		if (!record) throw badRequest({ field: 'shiftID', message: 'no shift has this ID' });
		if (headers.etag === record.rowVersion) return reply.code(304).send();
		return { shift: { ...record.data, rowVersion: record.rowVersion } };
	},
});
