// The area "Shifts" of the API spec.
import { group, text, type Area } from '../../engine/area';
import { unlistedId } from '../commonFields';

export const shifts: Area = {
	resources: [
		{
			name: 'shift',
			label: 'Shift',
			operations: [
				{
					kind: 'single',
					name: 'get',
					label: 'Get',
					action: 'Get shift',
					description: 'Read one shift: its name, color and version',
					route: 'GET /agencyshifts/shifts/{shiftID}',
					headerProfile: 'A',
					etag: true,
					successStatus: 200,
					ids: [unlistedId('shiftID', 'ID of the shift to read')],
					returns: group('shift', {
						fields: [text('shift'), text('color'), text('rowVersion')],
					}),
				},
			],
		},
	],
};
