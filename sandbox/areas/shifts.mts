import type { Area } from '../area.mts';
import { badRequest } from '../errorResponses.mts';

const shifts = [
	{ shift: 'A', color: 'red' },
	{ shift: 'B', color: 'green' },
	{ shift: 'C', color: 'blue' },
];

export const area: Area = {
	kinds: { shift: 'Shifts' },
	insertInitialRecords(records) {
		for (let n = 0; n < 365; n++) records.insert('shift', shifts[n % shifts.length]!);
	},
	handlers: {
		getShift({ records, dialects }, { params, headers }, reply) {
			const record = records.get('shift', (params as { shiftID: number }).shiftID);
			if (!record) throw badRequest({ field: 'shiftID', message: 'no shift has this ID' });
			const isHonoured = dialects.etag === 'honoured';
			if (isHonoured && headers.etag === record.rowVersion) return reply.code(304).send();
			return { shift: { ...record.data, rowVersion: record.rowVersion } };
		},
	},
};
