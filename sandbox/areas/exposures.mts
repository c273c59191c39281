import type { Store } from '../store.mts';
import { creating } from './created.mts';

export const exposures = (store: Store) => ({
	createWildlandFire: creating(
		store,
		{ kind: 'wildlandFire', parent: { kind: 'exposure', parameter: 'exposureID' } },
		'NASFWildlandFireID',
	),
});
