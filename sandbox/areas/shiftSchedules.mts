import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const shiftSchedules = (store: Store) => ({
	createShiftSchedule: creating(store, { kind: 'shiftSchedule' }, 'shiftScheduleID'),
});
