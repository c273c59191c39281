import type { FastifyRequest } from 'fastify';

import type { RecordStore } from '../recordStore.mts';

interface Patch {
	op?: string;
	path?: Array<{ path?: string }>;
	value?: Array<{ userID?: number }>;
}

const edits: Record<string, (now: number[], given: number[]) => number[]> = {
	add: (now, given) => [...new Set([...now, ...given])],
	replace: (_now, given) => given,
	remove: (now, given) => now.filter((userID) => !given.includes(userID)),
};

export const licenses = (store: RecordStore) => {
	function patch(path: string, { op = '', value = [] }: Patch): number {
		const id = /^\/?licenses\/(\d+)$/.exec(path)?.[1];
		const license = id && store.get('license', Number(id));
		if (!license) return 404;
		const edit = edits[op];
		if (!edit) return 400;
		const given = value.map(({ userID }) => userID!);
		const userIDs = edit(license.data.userIDs as number[], given);
		store.update('license', license.id, { ...license.data, userIDs });
		return 200;
	}

	return {
		patchLicenses({ body }: FastifyRequest) {
			const ok = (body as Patch[]).flatMap((item) =>
				(item.path ?? []).map(({ path = '' }) => ({ path, status: patch(path, item) })),
			);
			return { ok };
		},
	};
};
