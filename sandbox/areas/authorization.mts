import type { FastifyRequest } from 'fastify';

import type { Area } from '../area.mts';

const textsOf = ({ body }: FastifyRequest) => body as Record<string, string>;

export const area: Area = {
	kinds: {},
	handlers: {
		authorize: ({ accounts }, request) => accounts.authorize(textsOf(request)),
		passwordToken: ({ accounts }, request) => accounts.passwordToken(textsOf(request)),
		codeToken: ({ accounts }, request) => accounts.codeToken(textsOf(request)),
	},
};
