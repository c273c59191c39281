import type { FastifyReply, FastifyRequest } from 'fastify';

import { Refusal } from '../refusals.mts';
import type { Data, Store } from '../store.mts';

export const classes = (store: Store) => ({
	patchClassStudents({ body }: FastifyRequest, reply: FastifyReply) {
		const { agencyCodeCategoryID, code } = body as Data;
		const { rows } = store.list('classStudent');
		const taken =
			code !== undefined &&
			rows.some(
				({ data }) => data.agencyCodeCategoryID === agencyCodeCategoryID && data.code === code,
			);
		if (taken) throw new Refusal(409, { errors: 'The category already has this code' });
		store.insert('classStudent', body as Data);
		return reply.code(200).send();
	},
});
