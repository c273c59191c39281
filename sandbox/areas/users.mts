import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const users = (store: RecordStore) => ({
	createLosapPoint: creating(
		store,
		{ kind: 'losapPoint', parent: { kind: 'user', parameter: 'userID' } },
		'losapPointID',
	),
});
