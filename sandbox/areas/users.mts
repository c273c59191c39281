import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { losapPoint: 'LOSAP points', user: 'Users' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 40; n++) {
			records.insert('user', { name: faker.person.fullName() });
		}
	},
	handlers: {
		createLosapPoint: createHandler(
			{ kind: 'losapPoint', parent: { kind: 'user', parameter: 'userID' } },
			'losapPointID',
		),
	},
};
