import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const demographics = (store: RecordStore) => ({
	createAgencyYearGroups: creating(
		store,
		{ kind: 'agencyYearGroups', parent: { kind: 'dAgency', parameter: 'dAgencyID' } },
		'dAgencyAgencyYearGroupsID',
	),
});
