// The area "Apparatus maintenance (deprecated)" of the API spec.
import { group, objectList, objects, text, type Area } from '../../engine/area';
import { patchOperation } from '../commonFields';

export const apparatusMaintenance: Area = {
	resources: [
		{
			name: 'maintenance',
			label: 'Maintenance',
			operations: [
				{
					kind: 'bulk',
					name: 'updateMany',
					label: 'Update Many',
					action: 'Update apparatus maintenance',
					description: 'Set the type, state, dates and people of maintenance work on apparatus',
					route: 'PATCH /agencyapparatusmaintenance/v1/apparatus/maintenance',
					headerProfile: 'B',
					etag: false,
					successStatus: 200,
					notice: 'The service marks this operation as deprecated: it may be removed',
					body: [
						objects('paths', {
							label: 'Maintenance to Update',
							entryLabel: 'Maintenance',
							required: true,
							description: 'Each path gets its own result',
							fields: [
								text('path', {
									isPath: true,
									required: true,
									description:
										"Path of one apparatus's maintenance: a slash and its ID, as in the one published example; the form is not documented. No documented operation lists apparatus: look up the ID in the service itself, or ask the service owner for a list.",
									example: '/101',
								}),
								text('rowVersion', {
									description: 'Version of the record, as the service gave it',
									example: '00000000000007D1',
								}),
							],
						}),
						group('value', {
							required: true,
							label: 'Values to Set',
							description: 'What the patch sets: each path gets all of it',
							fields: [
								text('maintenanceType', {
									description: 'Kind of maintenance. The values are not documented.',
									example: 'Pump test',
								}),
								text('maintenanceStatusID', {
									description: "ID of the work's state. The values are not documented.",
									example: '2',
								}),
								text('requestMaintenanceDate', {
									isDate: true,
									description: 'When it was requested. The format is not documented.',
									example: '2026-03-02',
								}),
								text('requestedByUserID', {
									description: 'ID of the user who requested it',
									example: '1042',
								}),
								text('scheduledByUserID', {
									description: 'ID of the user who scheduled it',
									example: '1007',
								}),
								text('doneByUserID', {
									description: 'ID of the user who did the work',
									example: '1033',
								}),
								text('completedDate', {
									isDate: true,
									description: 'When it was completed. The format is not documented.',
									example: '2026-03-04',
								}),
								text('maintenanceComplete', {
									choices: [
										{ value: '', name: 'Leave as It Is' },
										{ value: '1', name: 'Yes' },
										{ value: '0', name: 'No' },
									],
									description:
										'Whether the work is complete: the one published value is 1, and 0 is assumed. What else the service accepts, such as X or Yes, is not documented: send one row, and look it up there.',
									example: '1',
								}),
								objectList('files', {
									description:
										'Files of the maintenance, as JSON; the inner fields are not documented',
									example: [{ fileGUID: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }],
								}),
							],
						}),
						patchOperation,
					],
					pathsField: 'paths',
					statusField: 'response',
				},
			],
		},
	],
};
