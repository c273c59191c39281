import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const library = (store: RecordStore) => ({
	createLibraryCategory: creating(store, { kind: 'libraryCategory' }, 'categoryID'),
});
