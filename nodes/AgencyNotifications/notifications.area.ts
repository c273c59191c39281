// The area "Notifications" of the interface.
import { group, integer, operation, text, type Area } from '../../engine/area';

export const notifications: Area = {
	resources: [
		{
			name: 'notification',
			label: 'Notification',
			operations: [
				operation({
					kind: 'item',
					name: 'create',
					label: 'Create',
					action: 'Create a notification',
					description: 'Tell the agency about a piece of equipment',
					request: 'POST /agencynotifications/notification',
					profile: 'A',
					etag: true,
					body: [
						integer('notificationID'),
						group('notificationModel', [
							text('description', { placeholder: 'e.g. Low air pressure' }),
							integer('equipmentID'),
							text('status', {
								description: 'State of the equipment. The service does not state its values.',
							}),
						]),
					],
					returns: text('notificationID'),
				}),
			],
		},
	],
};
