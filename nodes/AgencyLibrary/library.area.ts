// The area "Library" of the API spec.
import { boolean, integer, number, text, type Area } from '../../engine/area';

export const library: Area = {
	resources: [
		{
			name: 'category',
			label: 'Category',
			operations: [
				{
					kind: 'single',
					name: 'create',
					label: 'Create',
					action: 'Create category',
					description: 'Add a category to the library',
					route: 'POST /agencylibrary/library/categories',
					headerProfile: 'B',
					etag: false,
					successStatus: 201,
					body: [
						text('categoryTitle', {
							required: true,
							description: 'What the category is called',
							example: 'Standard operating guidelines',
						}),
						integer('departmentLibraryTypeID', {
							standsFor: 'code',
							description: 'ID of the type of library, as the agency has set it up',
							example: 2,
						}),
						number('parentID', {
							standsFor: 'record',
							description: 'ID of the parent category; empty for a top-level one',
							example: 5,
						}),
						boolean('locked', {
							description: 'Whether the category is closed to changes',
							example: false,
						}),
					],
					returns: number('categoryID'),
				},
			],
		},
	],
};
