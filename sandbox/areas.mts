// The areas of the API spec, by their tags in openapi.yaml: their kinds of records, and what handles each operation.
import { en, Faker } from '@faker-js/faker';

import { users } from './accounts.mts';
import { operationsOf, readOpenApi } from './openapi.mts';
import {
	archiveInspectionAnswer,
	creates,
	getShift,
	lists,
	patchApparatusMaintenance,
	patchClassStudents,
	patchLicenses,
	recordOf,
	signsIn,
	uploadFile,
	type Handler,
} from './operations.mts';
import type { RecordData, RecordStore } from './recordStore.mts';

interface Area {
	/** By the `operationId` in openapi.yaml. */
	handlers: Record<string, Handler>;
	/** The kinds of records that the area keeps, and what the page calls them. */
	kinds: Record<string, string>;
	/**
	 * The records that a new sandbox holds, by kind. Their IDs begin at 101.
	 * @param faker gives an area the same values at each start, no matter which other areas exist
	 */
	initialRecords?: (faker: Faker) => Record<string, RecordData[]>;
	/** The IDs of initial records that are archived. */
	archived?: number[];
}

const times = <Result,>(count: number, make: (n: number) => Result): Result[] =>
	Array.from({ length: count }, (_, n) => make(n));

/** One record for each name. */
const named = (field: string, names: string): RecordData[] =>
	names.split(', ').map((name) => ({ [field]: name }));

/** The time of the n-th of 40 events. */
const dateTime = (n: number): string =>
	`2026-0${1 + Math.floor(n / 20)}-${10 + (n % 15)} 07:${10 + n}:00`;

const infrastructures =
	'Airport, Bridge, Chemical Plant, Dam, Data Center, Government Building, Hospital, Nursing Home, Police Station, Power Plant, Rail Yard, School, Telephone Exchange, Water Treatment Plant';
const vendorCategories =
	'Apparatus and Parts, Building Maintenance, Fuel, Hose and Nozzles, Medical Supplies, Radio and Dispatch, Training, Turnout Gear';
const inspectionQuestions = [
	'Are exits unobstructed?',
	'Is the fire alarm panel free of trouble signals?',
	'Are extinguishers inspected and tagged?',
	'Is the sprinkler riser accessible?',
	'Are extension cords used only temporarily?',
	'Is the address visible from the street?',
];

export const areas: Record<string, Area> = {
	'Apparatus maintenance': {
		kinds: { apparatusMaintenance: 'Maintenance', apparatus: 'Apparatus' },
		initialRecords: () => ({
			apparatusMaintenance: times(40, () => ({
				maintenanceType: 'Preventive',
				maintenanceComplete: '0',
			})),
			apparatus: times(40, (n) => ({ apparatusID: `E-${n + 1}`, stationNumber: '1' })),
		}),
		handlers: { patchApparatusMaintenance },
	},
	Authorization: {
		kinds: {},
		handlers: {
			authorize: signsIn('authorize'),
			passwordToken: signsIn('passwordToken'),
			codeToken: signsIn('codeToken'),
			refreshToken: signsIn('refreshToken'),
			identityToken: signsIn('identityToken'),
		},
	},
	Classes: {
		kinds: { classStudent: 'Class students', agencyCodeCategory: 'Code categories' },
		initialRecords: () => ({
			agencyCodeCategory: named('agencyCodeCategory', 'EMS, Fire, Hazmat, Officer, Rescue'),
		}),
		handlers: { patchClassStudents },
	},
	'Critical infrastructure': {
		kinds: { criticalInfrastructure: 'Critical infrastructure categories' },
		initialRecords: () => ({
			criticalInfrastructure: named('Infrastructure', infrastructures),
		}),
		handlers: {
			listCriticalInfrastructure: lists(
				{ kind: 'criticalInfrastructure' },
				'infrastructures',
				({ id, data }) => ({ InfrastructureID: id, ...data }),
			),
		},
	},
	Demographics: {
		kinds: { agencyYearGroups: 'Year groups', dAgency: 'Agencies' },
		initialRecords: ({ location }) => ({
			dAgency: times(5, () => ({ name: `${location.county()} Fire and Rescue` })),
		}),
		handlers: {
			createAgencyYearGroups: creates('agencyYearGroups', 'dAgencyAgencyYearGroupsID', 'dAgencyID'),
		},
	},
	'Device codes': {
		kinds: { deviceCode: 'Device codes' },
		initialRecords: ({ helpers, string }) => ({
			deviceCode: times(300, (n) => {
				const model = `${string.alpha({ length: 2, casing: 'upper' })}-${string.numeric(3)}`;
				const Element = helpers.arrayElement(['dDevice.02', 'dDevice.03', 'dDevice.06']);
				const device = helpers.arrayElement(
					'Defibrillator, Monitor, Pulse Oximeter, Suction Unit, Ventilator'.split(', '),
				);
				return { Element, Code: 1_600_001 + n * 2, Description: `${device} ${model}` };
			}),
		}),
		archived: times(5, (n) => 110 + n * 50),
		handlers: { listDeviceCodes: lists({ kind: 'deviceCode' }, 'ddevice') },
	},
	Events: {
		kinds: {
			eventPeople: 'People of events',
			event: 'Events',
			eventType: 'Types of events',
			eventCategory: 'Categories of events',
		},
		initialRecords: () => ({
			event: times(40, (n) => ({
				eventName: `Open house ${n + 1}`,
				eventDateTime: dateTime(n),
				eventTypeID: 101,
				category: 'Public',
			})),
			eventType: named('eventType', 'Open house, Drill, Meeting, Standby'),
			eventCategory: named('category', 'Public, Training, Administration'),
		}),
		handlers: { addEventPeople: creates('eventPeople', undefined, 'eventID') },
	},
	Exposures: {
		kinds: {
			wildlandFire: 'Wildland fires',
			exposure: 'Exposures',
			exposureApparatus: 'Apparatus of exposures',
			crewMember: 'Crews of exposures',
			incident: 'Incidents',
		},
		initialRecords: ({ helpers }) => ({
			exposure: times(40, (n) => ({
				incidentID: 101 + n,
				incidentType: helpers.arrayElement(['111', '141', '142', '321']),
			})),
			incident: times(40, (n) => ({
				incidentNumber: `2026-${String(n + 1).padStart(5, '0')}`,
				dispatchRunNumber: String(26_001 + n),
				incidentDateTime: dateTime(n),
				stationID: 101 + (n % 3),
			})),
		}),
		handlers: {
			createWildlandFire: creates('wildlandFire', 'NASFWildlandFireID', 'exposureID'),
		},
	},
	Files: {
		kinds: { file: 'Files' },
		handlers: { uploadFile },
	},
	Inspections: {
		kinds: { inspectionAnswer: 'Answers', inspection: 'Inspections' },
		initialRecords: ({ company, helpers }) => ({
			inspection: times(60, () => ({ occupancy: company.name() })),
			inspectionAnswer: times(60, (n) =>
				inspectionQuestions.map((question) => ({
					inspectionID: 101 + n,
					question,
					response: helpers.arrayElement(['yes', 'no', 'not applicable']),
				})),
			).flat(),
		}),
		handlers: { archiveInspectionAnswer },
	},
	Library: {
		kinds: { libraryCategory: 'Library categories' },
		handlers: { createLibraryCategory: creates('libraryCategory', 'categoryID') },
	},
	Licenses: {
		kinds: { license: 'Licenses' },
		initialRecords: ({ date, helpers, number, string }) => ({
			license: times(400, () => ({
				type: helpers.arrayElement(
					'EMT, Advanced EMT, Paramedic, Fire Officer I, Hazmat Operations'.split(', '),
				),
				number: string.numeric(6),
				expires: date.future({ years: 2 }).toISOString().slice(0, 10),
				userIDs: [number.int({ min: 11, max: 90 })],
			})),
		}),
		handlers: { patchLicenses },
	},
	Mappings: {
		kinds: { clientMapping: 'Client mappings', client: 'Clients' },
		initialRecords: ({ company }) => ({
			client: times(5, () => ({ name: company.name() })),
		}),
		handlers: { createClientMapping: creates('clientMapping', undefined, 'clientID') },
	},
	Notifications: {
		kinds: { notification: 'Notifications' },
		handlers: { createNotification: creates('notification', 'notificationID', undefined, String) },
	},
	Occupancies: {
		kinds: { inspectionForm: 'Inspection forms' },
		handlers: { createInspectionForm: creates('inspectionForm', 'formID') },
	},
	'Shift schedules': {
		kinds: { shiftSchedule: 'Shift schedules', station: 'Stations' },
		initialRecords: () => ({
			station: times(3, (n) => ({ stationNumber: String(n + 1), stationName: `Station ${n + 1}` })),
		}),
		handlers: { createShiftSchedule: creates('shiftSchedule', 'shiftScheduleID') },
	},
	Shifts: {
		kinds: { shift: 'Shifts' },
		initialRecords: () => ({
			shift: times(365, (n) => ({ shift: 'ABC'[n % 3], color: ['red', 'green', 'blue'][n % 3] })),
		}),
		handlers: { getShift },
	},
	Users: {
		kinds: { losapPoint: 'LOSAP points', user: 'Users' },
		initialRecords: ({ person }) => ({
			user: times(40, (n) => ({
				login: users[n]?.username ?? `member${n + 1}`,
				fullName: person.fullName(),
				agencyPersonnelID: String(4001 + n),
				title: 'Firefighter',
				shift: 'ABC'[n % 3],
				Archive: '0',
				licenses: [],
			})),
		}),
		handlers: { createLosapPoint: creates('losapPoint', 'losapPointID', 'userID') },
	},
	Vendors: {
		kinds: { vendor: 'Vendors' },
		initialRecords: ({ company, helpers, internet, location, number, person, string }) => ({
			vendor: times(430, (n) => {
				const name = company.name();
				return {
					category: helpers.arrayElement(vendorCategories.split(', ')),
					name,
					businessType: helpers.arrayElement(
						'Corporation, LLC, Partnership, Sole Proprietor'.split(', '),
					),
					address1: location.streetAddress(),
					address2: n % 5 === 0 ? location.secondaryAddress() : '',
					city: location.city(),
					state: location.state({ abbreviated: true }),
					zip: number.int({ min: 10001, max: 99950 }),
					contactName: person.fullName(),
					phone: `555-01${string.numeric(2)}`,
					fax: `555-01${string.numeric(2)}`,
					email: internet.exampleEmail(),
					url: `https://${helpers.slugify(name).toLowerCase()}.example`,
					notes: n % 7 === 0 ? 'Delivers to all stations' : '',
				};
			}),
		}),
		archived: times(12, (n) => 105 + n * 30),
		handlers: {
			listVendors: lists(
				{ kind: 'vendor', idField: 'departmentBusinessID' },
				'vendors',
				(record, of) => ({ ...recordOf(record, of), archive: record.archived ? '1' : '0' }),
			),
		},
	},
};

const titles = new Map(Object.values(areas).flatMap(({ kinds }) => Object.entries(kinds)));

/** @returns undefined for a kind that no area keeps */
export const titleOfKind = (kind: string): string | undefined => titles.get(kind);

const operations = operationsOf(readOpenApi());

/** @throws Error unless the area that the operation's tag names has a handler for it */
export function handlerOf(operationId: string): Handler {
	const operation = operations.find((known) => known.operationId === operationId);
	const area = operation?.tags?.[0] ?? '';
	const handler = areas[area]?.handlers[operationId];
	if (handler) return handler;
	throw new Error(`sandbox/areas.mts has no handler "${operationId}" in an area "${area}"`);
}

/** Made once in a process: a copy takes a fraction of the time. */
let snapshot: Uint8Array | undefined;

/** Fills an empty store with the records of an invented agency, the same on every machine. */
export function insertInitialRecords(records: RecordStore): void {
	if (snapshot && records.isInMemory) return records.restore(snapshot);
	records.transaction(() => {
		for (const { initialRecords, archived = [] } of Object.values(areas)) {
			const faker = new Faker({ locale: en, seed: 1871 });
			faker.setDefaultRefDate('2026-01-01T00:00:00Z');
			for (const [kind, all] of Object.entries(initialRecords?.(faker) ?? {})) {
				for (const data of all) {
					const id = records.insert(kind, data);
					if (archived.includes(id)) records.archive(kind, id);
				}
			}
		}
	});
	snapshot ??= records.snapshot();
}
