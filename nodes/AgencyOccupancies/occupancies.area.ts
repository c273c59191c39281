// The area "Occupancies" of the API spec.
import { integer, text, type Area } from '../../engine/area';

export const occupancies: Area = {
	resources: [
		{
			name: 'inspectionForm',
			label: 'Inspection Form',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create inspection form',
					description: 'Add a form for inspecting occupancies',
					route: 'POST /agencyoccupancies/occupancies/inspections/forms',
					headerProfile: 'B',
					etag: false,
					successStatus: 201,
					body: [
						text('category', {
							required: true,
							description: 'What the form is for',
							example: 'Annual inspection',
						}),
					],
					returns: integer('formID'),
				},
			],
		},
	],
};
