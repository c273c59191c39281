import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const events = (store: RecordStore) => ({
	addEventPeople: creating(store, {
		kind: 'eventPeople',
		parent: { kind: 'event', parameter: 'eventID' },
	}),
});
