import type { FastifyRequest } from 'fastify';

import type { RecordData, RecordStore } from '../recordStore.mts';

interface Patch {
	op?: string;
	value?: RecordData;
	paths?: Array<{ path?: string; rowVersion?: string }>;
}

export const apparatusMaintenance = (store: RecordStore) => {
	function patch(path: string, { op, value = {} }: Patch, rowVersion?: string): number {
		const id = /^\/?apparatus\/(\d+)\/maintenance$/.exec(path)?.[1];
		const record = id && store.get('apparatusMaintenance', Number(id));
		if (!record) return 404;
		if (op !== 'replace') return 400;
		if (rowVersion !== undefined && rowVersion !== record.rowVersion) return 409;
		store.update('apparatusMaintenance', record.id, { ...record.data, ...value });
		return 200;
	}

	return {
		patchApparatusMaintenance: ({ body }: FastifyRequest) =>
			(body as Patch[]).flatMap((item) =>
				(item.paths ?? []).map(({ path = '', rowVersion }) => ({
					path,
					response: patch(path, item, rowVersion),
				})),
			),
	};
};
