import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { wildlandFire: 'Wildland fires', exposure: 'Exposures' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 40; n++) {
			records.insert('exposure', { incidentNumber: `2026-${faker.string.numeric(5)}` });
		}
	},
	handlers: {
		createWildlandFire: createHandler(
			{ kind: 'wildlandFire', parent: { kind: 'exposure', parameter: 'exposureID' } },
			'NASFWildlandFireID',
		),
	},
};
