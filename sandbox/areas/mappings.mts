import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const mappings = (store: RecordStore) => ({
	createClientMapping: creating(store, {
		kind: 'clientMapping',
		parent: { kind: 'client', parameter: 'clientID' },
	}),
});
