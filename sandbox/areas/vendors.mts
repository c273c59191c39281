import type { Area } from '../area.mts';
import { pageOf } from '../listParameters.mts';

const categories = [
	'Apparatus and Parts',
	'Building Maintenance',
	'Fuel',
	'Hose and Nozzles',
	'Medical Supplies',
	'Radio and Dispatch',
	'Training',
	'Turnout Gear',
];
const businessTypes = ['Corporation', 'LLC', 'Partnership', 'Sole Proprietor'];

export const area: Area = {
	kinds: { vendor: 'Vendors' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 430; n++) {
			const name = faker.company.name();
			records.insert('vendor', {
				category: faker.helpers.arrayElement(categories),
				name,
				businessType: faker.helpers.arrayElement(businessTypes),
				address1: faker.location.streetAddress(),
				address2: n % 5 === 0 ? faker.location.secondaryAddress() : '',
				city: faker.location.city(),
				state: faker.location.state({ abbreviated: true }),
				zip: faker.number.int({ min: 10001, max: 99950 }),
				contactName: faker.person.fullName(),
				phone: `555-01${faker.string.numeric(2)}`,
				fax: `555-01${faker.string.numeric(2)}`,
				email: faker.internet.exampleEmail(),
				url: `https://${faker.helpers.slugify(name).toLowerCase()}.example`,
				notes: n % 7 === 0 ? 'Delivers to all stations' : '',
			});
		}
		for (let n = 0; n < 12; n++) records.archive('vendor', 105 + n * 30);
	},
	handlers: {
		listVendors(context, { query }) {
			const { totalRows, rows } = pageOf(context, 'vendor', query);
			return {
				totalRows,
				vendors: rows.map(({ rowNum, id, data, archived, rowVersion }) => ({
					rowNum,
					departmentBusinessID: id,
					...data,
					archive: String(archived),
					rowVersion,
				})),
			};
		},
	},
};
