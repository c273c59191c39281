// Lists, files and bulk requests take memory, so that fewer of them may be under way than small requests.
import { maxParallelOf } from '../../../engine/kinds/tasks';
import type { Operation } from '../../../engine/area';
import type { Settings } from '../../../engine/form/settings';

const most = (kind: string, parallelRequests: number) =>
	maxParallelOf({ kind } as Operation, { parallelRequests } as Settings);

test.each(['list', 'upload', 'bulk'])('of the kind %s 32 at most are under way', (kind) => {
	expect(most(kind, 256)).toBe(32);
	expect(most(kind, 5)).toBe(5);
});

test.each(['item', 'empty'])('of the kind %s as many as the setting allows', (kind) => {
	expect(most(kind, 256)).toBe(256);
});
