import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { shiftSchedule: 'Shift schedules' },
	handlers: {
		createShiftSchedule: createHandler({ kind: 'shiftSchedule' }, 'shiftScheduleID'),
	},
};
