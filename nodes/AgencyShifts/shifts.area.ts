// The area "Shifts" of the interface.
import { id, object, operation, type Area } from '../../engine/area';

export const shifts: Area = {
	resources: [
		{
			name: 'shift',
			label: 'Shift',
			operations: [
				operation({
					kind: 'item',
					name: 'get',
					label: 'Get',
					action: 'Get a shift',
					description: 'Read one shift: its name, color and version',
					request: 'GET /agencyshifts/shifts/{shiftID}',
					headerProfile: 'A',
					etag: true,
					ids: [
						id('shiftID', {
							description: 'ID of the shift to read',
						}),
					],
					returns: object('shift'),
				}),
			],
		},
	],
};
