// The area "Apparatus maintenance (deprecated)" of the interface.
import {
	group,
	objectList,
	objects,
	operation,
	patchOperation,
	text,
	type Area,
} from '../../engine/area';

export const apparatusMaintenance: Area = {
	resources: [
		{
			name: 'maintenance',
			label: 'Maintenance',
			operations: [
				operation({
					kind: 'bulk',
					name: 'bulkPatch',
					label: 'Bulk Patch',
					action: 'Patch apparatus maintenance in bulk',
					description: 'Patch the maintenance of all input items in as few requests as possible',
					request: 'PATCH /agencyapparatusmaintenance/v1/apparatus/maintenance',
					profile: 'B',
					etag: false,
					notice: 'The service marks this operation as deprecated: it may be taken away.',
					body: [
						patchOperation,
						objects(
							'paths',
							[
								text('path', { required: true, placeholder: 'e.g. /apparatus/101/maintenance' }),
								text('rowVersion'),
							],
							{
								entry: 'Path',
								required: true,
								description: 'The maintenance records to patch; each path gets a result of its own',
							},
						),
						group('value', [
							text('completedDate'),
							text('doneByUserID'),
							objectList('files', {
								description: 'JSON list of objects. The interface does not show their fields.',
							}),
							text('maintenanceComplete'),
							text('maintenanceStatusID'),
							text('maintenanceType'),
							text('requestedByUserID'),
							text('requestMaintenanceDate'),
							text('scheduledByUserID'),
						]),
					],
					pathsField: 'paths',
					statusField: 'response',
				}),
			],
		},
	],
};
