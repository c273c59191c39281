import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { inspectionForm: 'Inspection forms' },
	handlers: {
		createInspectionForm: createHandler({ kind: 'inspectionForm' }, 'formID'),
	},
};
