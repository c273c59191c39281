// The area "Events" of the interface.
import { boolean, dateTime, id, number, operation, text, type Area } from '../../engine/area';

export const events: Area = {
	resources: [
		{
			name: 'eventPeople',
			label: 'Event People',
			operations: [
				operation({
					kind: 'empty',
					name: 'add',
					label: 'Add',
					action: 'Add people to an event',
					description: 'Attach people to an event and update what is known of it',
					request: 'POST /agencyevents/events/{eventID}/people',
					profile: 'B',
					etag: false,
					ids: [id('eventID')],
					body: [
						number('eventCategoryID'),
						dateTime('eventDateTime'),
						dateTime('eventEndDateTime'),
						text('eventName', { placeholder: 'e.g. Open house at Station 4' }),
						number('eventTypeID'),
						number('hours'),
						text('location'),
						boolean('locked', { description: 'Whether the event is closed to changes' }),
						text('narrative'),
						number('numberOfAdultAttendees', { label: 'Number of Adult Attendees' }),
						number('numberOfChildrenAttendees', { label: 'Number of Children Attendees' }),
						number('numberOfSeniorAttendees', { label: 'Number of Senior Attendees' }),
					],
					output: { updated: true },
					success: 201,
				}),
			],
		},
	],
};
