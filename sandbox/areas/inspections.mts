import type { FastifyReply, FastifyRequest } from 'fastify';

import { badRequest } from '../errorResponses.mts';
import type { RecordStore } from '../recordStore.mts';

export const inspections = (store: RecordStore) => ({
	archiveInspectionAnswer({ params }: FastifyRequest, reply: FastifyReply) {
		const { inspectionID, answerID } = params as Record<string, number>;
		if (!store.get('inspection', inspectionID!)) {
			throw badRequest({ field: 'inspectionID', message: 'no inspection has this ID' });
		}
		if (store.get('inspectionAnswer', answerID!)?.data.inspectionID !== inspectionID) {
			throw badRequest({ field: 'answerID', message: 'the inspection has no answer with this ID' });
		}
		store.archive('inspectionAnswer', answerID!);
		return reply.code(204).send();
	},
});
