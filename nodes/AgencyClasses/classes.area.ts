// The area "Classes" of the API spec.
import { integer, text, type Area } from '../../engine/area';

export const classes: Area = {
	resources: [
		{
			name: 'student',
			label: 'Student',
			operations: [
				{
					kind: 'empty',
					name: 'update',
					label: 'Update',
					action: 'Update class students',
					description: 'Set the category, code and description of class students',
					route: 'PATCH /agencyclasses/classes/students',
					headerProfile: 'A',
					etag: true,
					successStatus: 200,
					body: [
						integer('agencyCodeCategoryID', {
							standsFor: 'record',
							identifiesRecord: true,
							description: 'ID of the category of codes that the class belongs to',
							example: 7,
						}),
						text('code', {
							required: true,
							identifiesRecord: true,
							description: 'Code within the category',
							example: 'LADDER-1',
						}),
						text('description', {
							description: 'What the code stands for',
							example: 'Ladder drill, day one',
						}),
					],
					output: { updated: true },
					repeatedRule:
						'must be given once: the service names no student, so each row sets the description of the code itself, and the last one would stay. Leave one row for each code',
				},
			],
		},
	],
};
