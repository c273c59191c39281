import type { RecordStore } from '../recordStore.mts';

export const criticalInfrastructure = (store: RecordStore) => ({
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
