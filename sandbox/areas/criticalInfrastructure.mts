import type { Store } from '../store.mts';

export const criticalInfrastructure = (store: Store) => ({
	listCriticalInfrastructure() {
		const { totalRows, rows } = store.list('criticalInfrastructure');
		return {
			totalRows,
			infrastructures: rows.map(({ id, data }, index) => ({
				rowNum: index + 1,
				InfrastructureID: id,
				...data,
			})),
		};
	},
});
