import type { Area } from '../area.mts';
import type { RecordStore } from '../recordStore.mts';

interface Patch {
	op?: string;
	path?: Array<{ path?: string }>;
	value?: Array<{ userID?: number }>;
}

const types = ['EMT', 'Advanced EMT', 'Paramedic', 'Fire Officer I', 'Hazmat Operations'];

/** The users of a license after an operation, by its `op`. */
const operations: Record<string, (now: number[], given: number[]) => number[]> = {
	add: (now, given) => [...new Set([...now, ...given])],
	replace: (_now, given) => given,
	remove: (now, given) => now.filter((userID) => !given.includes(userID)),
};

/** @returns the status of one path */
function patch(records: RecordStore, path: string, { op = '', value = [] }: Patch): number {
	const id = /^\/?licenses\/(\d+)$/.exec(path)?.[1];
	const license = id && records.get('license', Number(id));
	if (!license) return 404;
	if (!Object.hasOwn(operations, op)) return 400;
	const given = value.map(({ userID }) => userID!);
	const userIDs = operations[op]!(license.data.userIDs as number[], given);
	records.update('license', license.id, { ...license.data, userIDs });
	return 200;
}

export const area: Area = {
	kinds: { license: 'Licenses' },
	insertInitialRecords(records, faker) {
		for (let n = 0; n < 400; n++) {
			records.insert('license', {
				type: faker.helpers.arrayElement(types),
				number: faker.string.numeric(6),
				expires: faker.date.future({ years: 2 }).toISOString().slice(0, 10),
				userIDs: [faker.number.int({ min: 11, max: 90 })],
			});
		}
	},
	handlers: {
		patchLicenses: ({ records }, { body }) => ({
			ok: (body as Patch[]).flatMap((item) =>
				(item.path ?? []).map(({ path = '' }) => ({ path, status: patch(records, path, item) })),
			),
		}),
	},
};
