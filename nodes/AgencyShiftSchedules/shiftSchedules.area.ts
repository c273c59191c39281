// The area "Shift schedules" of the interface.
import { dateTime, integer, operation, text, type Area } from '../../engine/area';

export const shiftSchedules: Area = {
	resources: [
		{
			name: 'shiftSchedule',
			label: 'Shift Schedule',
			operations: [
				operation({
					kind: 'item',
					name: 'create',
					label: 'Create',
					action: 'Create a shift schedule',
					description: 'Plan one shift at a station, from one time to another',
					request: 'POST /agencyshiftschedules/shiftschedules',
					profile: 'A',
					etag: true,
					body: [
						dateTime('fromDate'),
						text('name', { placeholder: 'e.g. B shift, week 12' }),
						text('stationNumber', { placeholder: 'e.g. 4' }),
						dateTime('toDate'),
					],
					returns: integer('shiftScheduleID'),
				}),
			],
		},
	],
};
