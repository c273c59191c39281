// The area "Shifts" of the API spec.
import { id, text, type Area } from '../../engine/area';

export const shifts: Area = {
	resources: [
		{
			name: 'shift',
			label: 'Shift',
			operations: [
				{
					kind: 'item',
					name: 'get',
					label: 'Get',
					action: 'Get a shift',
					description: 'Read one shift: its name, color and version',
					request: 'GET /agencyshifts/shifts/{shiftID}',
					headerProfile: 'A',
					etag: true,
					successStatus: 200,
					ids: [id('shiftID', { description: 'ID of the shift to read' })],
					returns: {
						name: 'shift',
						type: 'group',
						fields: [text('shift'), text('color'), text('rowVersion')],
					},
				},
			],
		},
	],
};
