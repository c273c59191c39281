import type { FastifyReply, FastifyRequest } from 'fastify';

import type { RecordStore } from '../recordStore.mts';
import { create } from './created.mts';

export const notifications = (store: RecordStore) => ({
	/** The interface declares this one ID as a string. */
	createNotification(request: FastifyRequest, reply: FastifyReply) {
		reply.code(201);
		return { notificationID: String(create(store, request, { kind: 'notification' })) };
	},
});
