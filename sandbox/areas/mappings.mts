import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Store } from '../store.mts';
import { create } from './created.mts';

export const mappings = (store: Store) => ({
	createClientMapping(request: FastifyRequest, reply: FastifyReply) {
		create(store, request, {
			kind: 'clientMapping',
			parent: { kind: 'client', parameter: 'clientID' },
		});
		return reply.code(201).send();
	},
});
