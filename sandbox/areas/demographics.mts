import type { Area } from '../area.mts';
import { createHandler } from '../createRecord.mts';

export const area: Area = {
	kinds: { agencyYearGroups: 'Year groups', dAgency: 'Agencies' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 5; n++) {
			records.insert('dAgency', { name: `${faker.location.county()} Fire and Rescue` });
		}
	},
	handlers: {
		createAgencyYearGroups: createHandler(
			{ kind: 'agencyYearGroups', parent: { kind: 'dAgency', parameter: 'dAgencyID' } },
			'dAgencyAgencyYearGroupsID',
		),
	},
};
