// The area "Notifications" of the API spec.
import { group, integer, text, type Area } from '../../engine/area';

export const notifications: Area = {
	resources: [
		{
			name: 'notification',
			label: 'Notification',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create notification',
					description: 'Send the agency a notification about a piece of equipment',
					route: 'POST /agencynotifications/notification',
					headerProfile: 'A',
					etag: true,
					successStatus: 201,
					repeats: true,
					body: [
						group('notificationModel', {
							label: 'Equipment',
							description: 'What the notification is about, sent as notificationModel',
							fields: [
								text('description', {
									description: 'What to report about the equipment',
									example: 'Low air pressure',
								}),
								integer('equipmentID', {
									standsFor: 'record',
									description: 'ID of the piece of equipment',
									example: 2001,
								}),
								text('status', {
									description: 'State of the equipment. The values are not documented.',
									example: 'Out of service',
								}),
							],
						}),
						integer('notificationID', {
							description:
								'Number of the notification. The service does not say whether it keeps this number or assigns another.',
							example: 1,
						}),
					],
					returns: text('notificationID'),
				},
			],
		},
	],
};
