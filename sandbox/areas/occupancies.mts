import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const occupancies = (store: Store) => ({
	createInspectionForm: creating(store, { kind: 'inspectionForm' }, 'formID'),
});
