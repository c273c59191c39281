import type { Area } from '../area.mts';

const names = [
	'Airport',
	'Bridge',
	'Chemical Plant',
	'Dam',
	'Data Center',
	'Government Building',
	'Hospital',
	'Nursing Home',
	'Police Station',
	'Power Plant',
	'Rail Yard',
	'School',
	'Telephone Exchange',
	'Water Treatment Plant',
];

export const area: Area = {
	kinds: { criticalInfrastructure: 'Critical infrastructure categories' },
	insertInitialRecords(records) {
		for (const Infrastructure of names) {
			records.insert('criticalInfrastructure', { Infrastructure });
		}
	},
	handlers: {
		listCriticalInfrastructure({ records }) {
			const { totalRows, rows } = records.list('criticalInfrastructure');
			return {
				totalRows,
				infrastructures: rows.map(({ id, data }, index) => ({
					rowNum: index + 1,
					InfrastructureID: id,
					...data,
				})),
			};
		},
	},
};
