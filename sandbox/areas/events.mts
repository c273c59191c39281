import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { eventPeople: 'People of events', event: 'Events' },
	insertInitialRecords(records) {
		for (let n = 0; n < 40; n++) {
			records.insert('event', { eventName: `Open house ${n + 1}` });
		}
	},
	handlers: {
		addEventPeople: createHandler({
			kind: 'eventPeople',
			parent: { kind: 'event', parameter: 'eventID' },
		}),
	},
};
