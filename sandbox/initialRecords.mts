// A believable agency, the same on every machine.
import { faker } from '@faker-js/faker';

import type { StoreSnapshot, RecordStore } from './recordStore.mts';

const vendorCategories = [
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
const licenseTypes = ['EMT', 'Advanced EMT', 'Paramedic', 'Fire Officer I', 'Hazmat Operations'];
const shiftColors = { A: 'red', B: 'green', C: 'blue' };
const questions = [
	'Are exits unobstructed?',
	'Is the fire alarm panel free of trouble signals?',
	'Are extinguishers inspected and tagged?',
	'Is the sprinkler riser accessible?',
	'Are extension cords used only temporarily?',
	'Is the address visible from the street?',
];

const deviceElements = ['dDevice.02', 'dDevice.03', 'dDevice.06'];
const devices = ['Defibrillator', 'Monitor', 'Pulse Oximeter', 'Suction Unit', 'Ventilator'];
const infrastructures = [
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

/** Parents that other records belong to, and lists to look things up in. */
function seedReferences(store: RecordStore): void {
	for (let n = 0; n < 40; n++) {
		store.insert('exposure', { incidentNumber: `2026-${faker.string.numeric(5)}` });
		store.insert('event', { eventName: `Open house ${n + 1}` });
		store.insert('user', { name: faker.person.fullName() });
		store.insert('apparatusMaintenance', {
			maintenanceType: 'Preventive',
			maintenanceComplete: 'false',
		});
	}
	for (let n = 0; n < 5; n++) {
		store.insert('dAgency', { name: `${faker.location.county()} Fire and Rescue` });
		store.insert('client', { name: faker.company.name() });
	}
	for (let n = 0; n < 300; n++) {
		store.insert('deviceCode', {
			Element: faker.helpers.arrayElement(deviceElements),
			Code: 1_600_001 + n * 2,
			Description: `${faker.helpers.arrayElement(devices)} ${faker.string.alpha({ length: 2, casing: 'upper' })}-${faker.string.numeric(3)}`,
		});
	}
	for (const Infrastructure of infrastructures) {
		store.insert('criticalInfrastructure', { Infrastructure });
	}
}

let agency: StoreSnapshot | undefined;

/** Fills an empty store. IDs of every kind begin at 101. */
export function insertInitialRecords(store: RecordStore): void {
	if (agency) return store.restore(agency);
	makeUp(store);
	agency = store.snapshot();
}

function makeUp(store: RecordStore): void {
	faker.seed(1871);
	faker.setDefaultRefDate('2026-01-01T00:00:00Z');
	store.transaction(() => {
		for (let n = 0; n < 430; n++) {
			const name = faker.company.name();
			store.insert('vendor', {
				category: faker.helpers.arrayElement(vendorCategories),
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
		for (let n = 0; n < 365; n++) {
			const shift = (['A', 'B', 'C'] as const)[n % 3]!;
			store.insert('shift', { shift, color: shiftColors[shift] });
		}
		for (let n = 0; n < 400; n++) {
			store.insert('license', {
				type: faker.helpers.arrayElement(licenseTypes),
				number: faker.string.numeric(6),
				expires: faker.date.future({ years: 2 }).toISOString().slice(0, 10),
				userIDs: [faker.number.int({ min: 11, max: 90 })],
			});
		}
		for (let n = 0; n < 60; n++) {
			const inspectionID = store.insert('inspection', { occupancy: faker.company.name() });
			for (const question of questions) {
				const answer = faker.helpers.arrayElement(['yes', 'no', 'not applicable']);
				store.insert('inspectionAnswer', { inspectionID, question, answer });
			}
		}
	});
	for (let n = 0; n < 12; n++) store.archive('vendor', 105 + n * 30);
	store.transaction(() => seedReferences(store));
	for (let n = 0; n < 5; n++) store.archive('deviceCode', 110 + n * 50);
}
