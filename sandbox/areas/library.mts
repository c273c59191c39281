import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const library = (store: Store) => ({
	createLibraryCategory: creating(store, { kind: 'libraryCategory' }, 'categoryID'),
});
