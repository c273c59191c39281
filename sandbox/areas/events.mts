import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const events = (store: Store) => ({
	addEventPeople: creating(store, {
		kind: 'eventPeople',
		parent: { kind: 'event', parameter: 'eventID' },
	}),
});
