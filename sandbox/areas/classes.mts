import type { FastifyReply, FastifyRequest } from 'fastify';

import { ErrorResponse } from '../errorResponses.mts';
import type { RecordData, RecordStore } from '../recordStore.mts';

export const classes = (store: RecordStore) => ({
	patchClassStudents({ body }: FastifyRequest, reply: FastifyReply) {
		const { agencyCodeCategoryID, code } = body as RecordData;
		const { rows } = store.list('classStudent');
		const taken =
			code !== undefined &&
			rows.some(
				({ data }) => data.agencyCodeCategoryID === agencyCodeCategoryID && data.code === code,
			);
		if (taken) throw new ErrorResponse(409, { errors: 'The category already has this code' });
		store.insert('classStudent', body as RecordData);
		return reply.code(200).send();
	},
});
