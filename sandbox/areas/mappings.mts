import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { clientMapping: 'Client mappings', client: 'Clients' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 5; n++) {
			records.insert('client', { name: faker.company.name() });
		}
	},
	handlers: {
		createClientMapping: createHandler({
			kind: 'clientMapping',
			parent: { kind: 'client', parameter: 'clientID' },
		}),
	},
};
