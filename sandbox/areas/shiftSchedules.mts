import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const shiftSchedules = (store: RecordStore) => ({
	createShiftSchedule: creating(store, { kind: 'shiftSchedule' }, 'shiftScheduleID'),
});
