// The area "Classes" of the interface.
import { integer, operation, text, type Area } from '../../engine/area';

export const classes: Area = {
	resources: [
		{
			name: 'student',
			label: 'Student',
			operations: [
				operation({
					kind: 'empty',
					name: 'update',
					label: 'Update',
					action: 'Update class students',
					description: 'Patch the students of classes by their category and code',
					request: 'PATCH /agencyclasses/classes/students',
					profile: 'A',
					etag: true,
					body: [integer('agencyCodeCategoryID'), text('code'), text('description')],
					output: { updated: true },
					success: 200,
				}),
			],
		},
	],
};
