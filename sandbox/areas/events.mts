import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Store } from '../store.mts';
import { create } from './created.mts';

export const events = (store: Store) => ({
	addEventPeople(request: FastifyRequest, reply: FastifyReply) {
		create(store, request, {
			kind: 'eventPeople',
			parent: { kind: 'event', parameter: 'eventID' },
		});
		return reply.code(201).send();
	},
});
