// The reads that the check makes; the tables of their areas say what the answers hold.
import type { CheckedOperations } from '../../engine/check/session';
import { watchedLists } from '../AgencyRecordsTrigger/watchedLists';
import { shifts } from '../AgencyShifts/shifts.area';

const [{ operations }] = shifts.resources as [(typeof shifts.resources)[0]];

export const checkedOperations: CheckedOperations = {
	lists: watchedLists,
	record: operations.find(({ kind }) => kind === 'item')!,
};
