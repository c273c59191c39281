import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const demographics = (store: Store) => ({
	createAgencyYearGroups: creating(
		store,
		{ kind: 'agencyYearGroups', parent: { kind: 'dAgency', parameter: 'dAgencyID' } },
		'dAgencyAgencyYearGroupsID',
	),
});
