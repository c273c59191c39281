import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { libraryCategory: 'Library categories' },
	handlers: {
		createLibraryCategory: createHandler({ kind: 'libraryCategory' }, 'categoryID'),
	},
};
