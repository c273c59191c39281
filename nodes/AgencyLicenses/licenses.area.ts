// The area "Licenses" of the API spec.
import { objects, text, type Area } from '../../engine/area';
import { patchOperation, unlistedId } from '../commonFields';

export const licenses: Area = {
	resources: [
		{
			name: 'license',
			label: 'License',
			operations: [
				{
					kind: 'bulk',
					name: 'updateMany',
					label: 'Update Many',
					action: 'Update many licenses',
					description: 'Set which users hold licenses; their dates cannot be changed',
					notice:
						"With 'Replace', current holders who are not among 'Users to Set' presumably lose the license; this is not documented. Name every user who should hold it.",
					route: 'PATCH /agencylicenses/licenses',
					headerProfile: 'A',
					etag: true,
					successStatus: 200,
					body: [
						objects('path', {
							label: 'Licenses to Update',
							entryLabel: 'License',
							required: true,
							description: 'Each license gets its own result',
							fields: [
								text('path', {
									isPath: true,
									required: true,
									description:
										'Path of one license: a slash and its ID, as in the one published example; the form is not documented. No documented operation lists licenses: look up the ID in the service itself, or ask the service owner for a list.',
									example: '/101',
								}),
							],
						}),
						objects('value', {
							label: 'Users to Set',
							entryLabel: 'User',
							required: true,
							mayBeEmpty: true,
							description:
								'The users that the patch is about: each path gets all of them. An empty list is only sent from the input item or JSON: "value": [].',
							fields: [unlistedId('userID', 'ID of a user', { example: 1042 })],
						}),
						patchOperation,
					],
					pathsField: 'path',
					resultsKey: 'ok',
					statusField: 'status',
				},
			],
		},
	],
};
