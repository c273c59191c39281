// The area "Users" of the API spec.
import { dateTime, integer, type Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

export const users: Area = {
	resources: [
		{
			name: 'losapPoint',
			label: 'LOSAP Point',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create LOSAP point',
					description: 'Credit a user with points in the length of service award program',
					route: 'POST /agencyusersxor/users/{userID}/losappoints',
					headerProfile: 'B',
					etag: false,
					successStatus: 201,
					ids: [unlistedId('userID', 'ID of the user who gets the points', { example: 101 })],
					body: [
						integer('categoryID', {
							standsFor: 'record',
							description:
								'ID of the category that the points count toward, as the agency has set it up',
							example: 3,
						}),
						integer('actualPoints', {
							required: true,
							description: 'Points to credit',
							example: 5,
						}),
						dateTime('startDate', {
							description:
								"When the activity began. A time without an offset is read in the workflow's time zone.",
							example: '2026-03-02T19:00:00',
						}),
						dateTime('endDate', {
							description:
								"When the activity ended. A time without an offset is read in the workflow's time zone.",
							example: '2026-03-02T21:00:00',
							startField: 'startDate',
						}),
					],
					returns: integer('losapPointID'),
				},
			],
		},
	],
};
