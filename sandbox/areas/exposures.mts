import type { RecordStore } from '../recordStore.mts';
import { creating } from './created.mts';

export const exposures = (store: RecordStore) => ({
	createWildlandFire: creating(
		store,
		{ kind: 'wildlandFire', parent: { kind: 'exposure', parameter: 'exposureID' } },
		'NASFWildlandFireID',
	),
});
