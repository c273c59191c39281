import type { Area } from '../area.mts';
import { createRecord } from '../createRecord.mts';

export const area: Area = {
	kinds: { notification: 'Notifications' },
	handlers: {
		/** The interface declares this one ID as a string. */
		createNotification({ records }, request, reply) {
			reply.code(201);
			return {
				notificationID: String(createRecord(records, request, { kind: 'notification' })),
			};
		},
	},
};
