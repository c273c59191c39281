import type { Area } from '../area.mts';
import type { RecordData, RecordStore } from '../recordStore.mts';

interface Patch {
	op?: string;
	value?: RecordData;
	paths?: Array<{ path?: string; rowVersion?: string }>;
}

/** @returns the status of one path */
function patch(
	records: RecordStore,
	path: string,
	{ op, value = {} }: Patch,
	rowVersion?: string,
): number {
	const id = /^\/?apparatus\/(\d+)\/maintenance$/.exec(path)?.[1];
	const record = id && records.get('apparatusMaintenance', Number(id));
	if (!record) return 404;
	if (op !== 'replace') return 400;
	if (rowVersion !== undefined && rowVersion !== record.rowVersion) return 409;
	records.update('apparatusMaintenance', record.id, { ...record.data, ...value });
	return 200;
}

export const area: Area = {
	kinds: { apparatusMaintenance: 'Maintenance' },
	insertInitialRecords(records) {
		for (let n = 0; n < 40; n++) {
			records.insert('apparatusMaintenance', {
				maintenanceType: 'Preventive',
				maintenanceComplete: 'false',
			});
		}
	},
	handlers: {
		patchApparatusMaintenance: ({ records }, { body }) =>
			(body as Patch[]).flatMap((item) =>
				(item.paths ?? []).map(({ path = '', rowVersion }) => ({
					path,
					response: patch(records, path, item, rowVersion),
				})),
			),
	},
};
