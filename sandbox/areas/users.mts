import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const users = (store: Store) => ({
	createLosapPoint: creating(
		store,
		{ kind: 'losapPoint', parent: { kind: 'user', parameter: 'userID' } },
		'losapPointID',
	),
});
