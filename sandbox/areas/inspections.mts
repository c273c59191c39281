import type { FastifyReply, FastifyRequest } from 'fastify';

import { invalid } from '../refusals.mts';
import type { Store } from '../store.mts';

export const inspections = (store: Store) => ({
	archiveInspectionAnswer({ params }: FastifyRequest, reply: FastifyReply) {
		const { inspectionID, answerID } = params as Record<string, number>;
		if (!store.get('inspection', inspectionID!)) {
			throw invalid({ field: 'inspectionID', message: 'no inspection has this ID' });
		}
		if (store.get('inspectionAnswer', answerID!)?.data.inspectionID !== inspectionID) {
			throw invalid({ field: 'answerID', message: 'the inspection has no answer with this ID' });
		}
		store.archive('inspectionAnswer', answerID!);
		return reply.code(204).send();
	},
});
