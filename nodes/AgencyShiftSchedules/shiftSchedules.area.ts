// The area "Shift schedules" of the API spec.
import { dateTime, integer, text, type Area } from '../../engine/area';

export const shiftSchedules: Area = {
	resources: [
		{
			name: 'shiftSchedule',
			label: 'Shift Schedule',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create shift schedule',
					description: 'Plan one shift at a station, from one time to another',
					route: 'POST /agencyshiftschedules/shiftschedules',
					headerProfile: 'A',
					etag: true,
					successStatus: 201,
					body: [
						text('name', {
							required: true,
							description: 'What the shift is called on the schedule',
							example: 'B shift, week 12',
						}),
						dateTime('fromDate', {
							required: true,
							description:
								"When the shift begins. A time without an offset is read in the workflow's time zone.",
							example: '2026-03-16T07:00:00',
						}),
						dateTime('toDate', {
							required: true,
							description:
								"When the shift ends. A time without an offset is read in the workflow's time zone.",
							example: '2026-03-17T07:00:00',
							startField: 'fromDate',
						}),
						text('stationNumber', {
							description: 'Number of the station; it is text, so leading zeros are kept',
							example: '4',
						}),
					],
					returns: integer('shiftScheduleID'),
				},
			],
		},
	],
};
