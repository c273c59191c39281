// The reads that the check makes; the tables of their areas say what the answers hold.
import type { ItemOperation } from '../../engine/area';
import type { CheckedOperations } from '../../engine/check/session';
import { watchedLists } from '../AgencyRecordsTrigger/watchedLists';
import { shifts } from '../AgencyShifts/shifts.area';

const getShift = shifts.resources[0]!.operations.find(({ kind }) => kind === 'item');

export const checkedOperations: CheckedOperations = {
	lists: watchedLists,
	record: getShift as ItemOperation,
};
