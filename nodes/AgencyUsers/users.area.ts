// The area "Users" of the interface.
import { dateTime, id, integer, operation, type Area } from '../../engine/area';

export const users: Area = {
	resources: [
		{
			name: 'losapPoint',
			label: 'LOSAP Point',
			operations: [
				operation({
					kind: 'item',
					name: 'create',
					label: 'Create',
					action: 'Create a LOSAP point',
					description: 'Credit a user with points of the length of service award program',
					request: 'POST /agencyusersxor/users/{userID}/losappoints',
					profile: 'B',
					etag: false,
					ids: [id('userID')],
					body: [
						integer('actualPoints'),
						integer('categoryID'),
						dateTime('endDate'),
						dateTime('startDate'),
					],
					returns: integer('losapPointID'),
				}),
			],
		},
	],
};
