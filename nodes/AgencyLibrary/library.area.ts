// The area "Library" of the interface.
import { boolean, integer, number, operation, text, type Area } from '../../engine/area';

export const library: Area = {
	resources: [
		{
			name: 'category',
			label: 'Category',
			operations: [
				operation({
					kind: 'item',
					name: 'create',
					label: 'Create',
					action: 'Create a category',
					description: 'Add a category to the library',
					request: 'POST /agencylibrary/library/categories',
					profile: 'B',
					etag: false,
					body: [
						text('categoryTitle', { placeholder: 'e.g. Standard operating guidelines' }),
						integer('departmentLibraryTypeID'),
						boolean('locked', { description: 'Whether the category is closed to changes' }),
						number('parentID', { description: 'ID of the category above this one' }),
					],
					returns: number('categoryID'),
				}),
			],
		},
	],
};
