// The comparisons that `npm run bench` makes. Settings of a node that are not named here have their defaults.
import type { Workload } from './client/measurement.mts';
import {
	axiosUpload,
	bareLoop,
	httpRequest,
	keepAlive,
	ours,
	oursContinue,
	routing,
} from './variants.mts';
import type { ServiceConditions } from './service/startService.mts';

export interface Comparison {
	workload: Workload;
	items: number;
	service: ServiceConditions;
	variants: string[];
	/** Whether this package is measured a second time, right after the first, in the same process. */
	measureAgain?: boolean;
	/** The size of the file that each item uploads. */
	megabytes?: number;
	/** How many rounds it is measured, if not as many as the others. */
	rounds?: number;
}

const both = [ours, httpRequest];
const all = [...both, routing, bareLoop, keepAlive];

const creates = { workload: 'create' as const, items: 2000 };

/** By the names that ONLY takes: `ONLY=far,capacity npm run bench` measures these two. */
export const comparisons = {
	create: [
		...[0, 20, 100].map((latency) => ({
			...creates,
			service: { latency },
			variants: all,
			measureAgain: true,
		})),
		{ ...creates, service: { latency: 300 }, variants: both },
	],
	far: [20, 80].map((roundTrip) => ({
		...creates,
		service: { latency: 0, roundTrip },
		variants: both,
	})),
	expressions: [0, 20, 100].map((latency) => ({
		workload: 'expressions',
		items: 2000,
		service: { latency },
		variants: latency > 0 ? [...both, oursContinue] : both,
	})),
	capacity: [
		{ workload: 'create', items: 1000, service: { latency: 100, capacity: 20 }, variants: both },
	],
	small: [
		{
			workload: 'create',
			items: 50,
			service: { latency: 100 },
			variants: both,
			measureAgain: true,
		},
	],
	patches: [{ workload: 'patches', items: 10_000, service: { latency: 20 }, variants: both }],
	list: [{ workload: 'list', items: 1, service: { latency: 20 }, variants: both }],
	files: [
		{ workload: 'upload', items: 10, megabytes: 10, service: { latency: 0 }, variants: both },
	],
	bigFile: [
		{
			workload: 'upload',
			items: 1,
			megabytes: 1000,
			service: { latency: 0 },
			variants: [ours, axiosUpload],
		},
	],
	many: [{ workload: 'create', items: 20_000, service: { latency: 0 }, variants: both, rounds: 1 }],
} satisfies Record<string, Comparison[]>;

export type ComparisonName = keyof typeof comparisons;
