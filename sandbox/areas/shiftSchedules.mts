import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Data, Store } from '../store.mts';

export const shiftSchedules = (store: Store) => ({
	createShiftSchedule({ body }: FastifyRequest, reply: FastifyReply) {
		reply.code(201);
		return { shiftScheduleID: store.insert('shiftSchedule', body as Data) };
	},
});
