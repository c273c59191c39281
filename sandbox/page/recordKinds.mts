// Which kinds of records stand together, and what people call them.

export interface Shelf {
	/** As the interface names the area. */
	area: string;
	/** Kinds of the store, and their names. */
	kinds: Record<string, string>;
}

export const shelves: readonly Shelf[] = [
	{ area: 'Apparatus maintenance', kinds: { apparatusMaintenance: 'Maintenance' } },
	{ area: 'Classes', kinds: { classStudent: 'Class students' } },
	{
		area: 'Critical infrastructure',
		kinds: { criticalInfrastructure: 'Critical infrastructure categories' },
	},
	{ area: 'Demographics', kinds: { agencyYearGroups: 'Year groups', dAgency: 'Agencies' } },
	{ area: 'Device codes', kinds: { deviceCode: 'Device codes' } },
	{ area: 'Events', kinds: { eventPeople: 'People of events', event: 'Events' } },
	{ area: 'Exposures', kinds: { wildlandFire: 'Wildland fires', exposure: 'Exposures' } },
	{ area: 'Files', kinds: { file: 'Files' } },
	{ area: 'Inspections', kinds: { inspectionAnswer: 'Answers', inspection: 'Inspections' } },
	{ area: 'Library', kinds: { libraryCategory: 'Library categories' } },
	{ area: 'Licenses', kinds: { license: 'Licenses' } },
	{ area: 'Mappings', kinds: { clientMapping: 'Client mappings', client: 'Clients' } },
	{ area: 'Notifications', kinds: { notification: 'Notifications' } },
	{ area: 'Occupancies', kinds: { inspectionForm: 'Inspection forms' } },
	{ area: 'Shift schedules', kinds: { shiftSchedule: 'Shift schedules' } },
	{ area: 'Shifts', kinds: { shift: 'Shifts' } },
	{ area: 'Users', kinds: { losapPoint: 'LOSAP points', user: 'Users' } },
	{ area: 'Vendors', kinds: { vendor: 'Vendors' } },
];

const names = new Map(shelves.flatMap(({ kinds }) => Object.entries(kinds)));

/** @returns undefined for a kind that stands on no shelf */
export const nameOf = (kind: string): string | undefined => names.get(kind);
