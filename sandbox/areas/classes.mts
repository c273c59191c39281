import type { Area } from '../area.mts';
import { ErrorResponse } from '../errorResponses.mts';
import type { RecordData } from '../recordStore.mts';

export const area: Area = {
	kinds: { classStudent: 'Class students' },
	handlers: {
		patchClassStudents({ records }, { body }, reply) {
			const { agencyCodeCategoryID, code } = body as RecordData;
			const { rows } = records.list('classStudent');
			const isTaken =
				code !== undefined &&
				rows.some(
					({ data }) => data.agencyCodeCategoryID === agencyCodeCategoryID && data.code === code,
				);
			if (isTaken) throw new ErrorResponse(409, { errors: 'The category already has this code' });
			records.insert('classStudent', body as RecordData);
			return reply.code(200).send();
		},
	},
};
