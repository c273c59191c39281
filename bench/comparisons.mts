// What is compared. Every setting of a node that is not named here has its default.
import type { Kind } from './client/task.mts';
import {
	axiosUpload,
	bareLoop,
	httpRequest,
	keepAlive,
	ours,
	oursContinue,
	routing,
} from './names.mts';
import type { Place } from './service/place.mts';

export interface Comparison {
	kind: Kind;
	items: number;
	place: Place;
	ways: string[];
	/** Whether ours is also measured once more right after the first time, in the same process. */
	again?: boolean;
	/** Size of the file an item uploads. */
	megabytes?: number;
	/** How often it is measured, if not as often as the others. */
	rounds?: number;
}

const both = [ours, httpRequest];
const all = [...both, routing, bareLoop, keepAlive];

const creates = { kind: 'create' as const, items: 2000 };

/** By name; `ONLY=far,capacity npm run bench` measures these. */
export const comparisons = {
	create: [
		...[0, 20, 100].map((latency) => ({ ...creates, place: { latency }, ways: all, again: true })),
		{ ...creates, place: { latency: 300 }, ways: both },
	],
	far: [20, 80].map((roundTrip) => ({ ...creates, place: { latency: 0, roundTrip }, ways: both })),
	expressions: [0, 20, 100].map((latency) => ({
		kind: 'expressions',
		items: 2000,
		place: { latency },
		ways: latency > 0 ? [...both, oursContinue] : both,
	})),
	capacity: [{ kind: 'create', items: 1000, place: { latency: 100, capacity: 20 }, ways: both }],
	small: [{ kind: 'create', items: 50, place: { latency: 100 }, ways: both, again: true }],
	patches: [{ kind: 'patches', items: 10_000, place: { latency: 20 }, ways: both }],
	list: [{ kind: 'list', items: 1, place: { latency: 20 }, ways: both }],
	files: [{ kind: 'upload', items: 10, megabytes: 10, place: { latency: 0 }, ways: both }],
	bigFile: [
		{
			kind: 'upload',
			items: 1,
			megabytes: 1000,
			place: { latency: 0 },
			ways: [ours, axiosUpload],
		},
	],
	many: [{ kind: 'create', items: 20_000, place: { latency: 0 }, ways: both, rounds: 1 }],
} satisfies Record<string, Comparison[]>;

export type Name = keyof typeof comparisons;
