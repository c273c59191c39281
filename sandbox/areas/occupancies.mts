import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const occupancies = (store: RecordStore) => ({
	createInspectionForm: creating(store, { kind: 'inspectionForm' }, 'formID'),
});
