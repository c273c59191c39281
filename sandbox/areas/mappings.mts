import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const mappings = (store: Store) => ({
	createClientMapping: creating(store, {
		kind: 'clientMapping',
		parent: { kind: 'client', parameter: 'clientID' },
	}),
});
