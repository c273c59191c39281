// The area "Events" of the API spec.
import { boolean, dateTime, number, text, type Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

export const events: Area = {
	resources: [
		{
			name: 'eventPeople',
			label: 'Event People',
			operations: [
				{
					kind: 'empty',
					name: 'add',
					label: 'Add',
					action: 'Add people to event',
					description:
						"Set an event's fields, such as how many people came; no field takes their names",
					route: 'POST /agencyevents/events/{eventID}/people',
					headerProfile: 'B',
					etag: false,
					successStatus: 201,
					notice:
						"Only the event's own fields are sent. Do not put people's names into them; ask the service owner how people are added.",
					ids: [unlistedId('eventID', 'ID of the event')],
					body: [
						text('eventName', {
							description: 'What the event is called',
							example: 'Open house at Station 4',
						}),
						dateTime('eventDateTime', {
							description:
								"When the event begins. A time without an offset is read in the workflow's time zone.",
							example: '2026-10-10T10:00:00',
						}),
						dateTime('eventEndDateTime', {
							description:
								"When the event ends. A time without an offset is read in the workflow's time zone.",
							example: '2026-10-10T14:00:00',
							startField: 'eventDateTime',
						}),
						text('location', {
							description: 'Where the event takes place',
							example: 'Station 4, 120 Main Street',
						}),
						number('eventTypeID', {
							standsFor: 'code',
							description: "ID of the event's type, as the agency has set it up",
							example: 3,
						}),
						number('eventCategoryID', {
							standsFor: 'code',
							description: "ID of the event's category, as the agency has set it up",
							example: 12,
						}),
						number('hours', { description: 'Hours spent on the event', example: 4 }),
						text('narrative', {
							description: 'What happened, in a few sentences',
							example: 'Tours of the engine, smoke trailer',
						}),
						number('numberOfAdultAttendees', {
							label: 'Number of Adult Attendees',
							description: 'How many adults came',
							example: 45,
						}),
						number('numberOfChildrenAttendees', {
							label: 'Number of Children Attendees',
							description: 'How many children came',
							example: 60,
						}),
						number('numberOfSeniorAttendees', {
							label: 'Number of Senior Attendees',
							description: 'How many senior citizens came',
							example: 8,
						}),
						boolean('locked', {
							description: 'Whether the event is closed to changes',
							example: false,
						}),
					],
					output: { updated: true },
				},
			],
		},
	],
};
