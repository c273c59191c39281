// The measurements: for each kind of work, its variants and the figures that are compared.
// Settings of a node that are not named here have their defaults.
import type { ServiceConditions } from './service/startService.mts';

export type Workload = 'create' | 'expressions' | 'patches' | 'list' | 'upload';

/** The compared ways of doing the same work, by the names that the table shows. */
export const ours = 'this package';
/** Measured right after the same work in the same process, with the same account. */
const again = (variant: string) => `${variant}, again`;
export const isAgain = (variant: string): boolean => variant.endsWith(again(''));
export const oursAgain = again(ours);
/** With an idempotency key, by the option "Send Once". */
export const oursOnce = `${ours}, with a key`;
/** Without the window: ten requests in progress, whatever the responses show. */
export const oursFixed = `${ours}, always 10 at once`;
export const httpRequest = 'HTTP Request';
/** A node that only sends, 32 requests at a time: the reference that no change of this package changes. */
export const plain = 'plain node';
export const plainAgain = again(plain);

/** One kind of work, at one service after another. */
export interface Work {
	/** As ONLY names it. */
	name: string;
	title: string;
	workload: Workload;
	items: number;
	services: ServiceConditions[];
	/** The size of the file that each item uploads. */
	megabytes?: number;
}

/** A figure of a run. */
export type Figure = 'speed' | 'cpu' | 'connections' | 'megabytes' | 'stall';

/** A figure of one variant at each service; for a ratio, compared with another's. */
export interface Measure {
	work: Work;
	figure: Figure;
	/** This package, unless another variant is named. */
	variant?: string;
	beside?: string;
	/** Measured in the full n8n, too. */
	isFull?: boolean;
}

const after = (...latencies: number[]) => latencies.map((latency) => ({ latency }));
const creates = { workload: 'create', items: 2000 } as const;

const create: Work = {
	...creates,
	name: 'create',
	title: '2,000 creates, 0 / 20 / 100 / 300 ms',
	services: after(0, 20, 100, 300),
};
const far: Work = {
	...creates,
	name: 'far',
	title: '2,000 creates over TLS, round trip of 20 / 80 ms',
	services: [20, 80].map((roundTrip) => ({ latency: 0, roundTrip })),
};
const expressions: Work = {
	name: 'expressions',
	title: '2,000 creates with four expressions, 0 / 20 / 100 ms',
	workload: 'expressions',
	items: 2000,
	services: after(0, 20, 100),
};
const small: Work = {
	name: 'small',
	title: '50 creates right after 50 others, 100 ms',
	workload: 'create',
	items: 50,
	services: after(100),
};
const warm: Work = {
	...creates,
	name: 'warm',
	title: '2,000 creates right after 2,000 others, 0 ms',
	services: after(0),
};
const patches: Work = {
	name: 'patches',
	title: '10,000 license patches, 20 ms',
	workload: 'patches',
	items: 10_000,
	services: after(20),
};
const list: Work = {
	name: 'list',
	title: 'List of 100,000 rows, pages of 1,000, 20 ms',
	workload: 'list',
	items: 1,
	services: after(20),
};
const files: Work = {
	name: 'files',
	title: '10 uploads of 10 MB',
	workload: 'upload',
	items: 10,
	megabytes: 10,
	services: after(0),
};
const bigFile: Work = {
	name: 'bigFile',
	title: 'Upload of 1 GB',
	workload: 'upload',
	items: 1,
	megabytes: 1000,
	services: after(0),
};
const many: Work = {
	name: 'many',
	title: '20,000 creates',
	workload: 'create',
	items: 20_000,
	services: after(0),
};

export const measures: readonly Measure[] = [
	{ work: create, figure: 'speed', beside: httpRequest, isFull: true },
	{ work: create, figure: 'cpu', beside: httpRequest },
	{ work: create, figure: 'speed', beside: plain, isFull: true },
	{ work: create, figure: 'cpu', beside: plain },
	{ work: create, figure: 'speed', beside: oursFixed },
	{ work: warm, figure: 'cpu', variant: oursAgain, beside: plainAgain },
	{ work: far, figure: 'speed', beside: httpRequest, isFull: true },
	{ work: expressions, figure: 'speed', beside: httpRequest, isFull: true },
	{ work: small, figure: 'speed', variant: oursAgain, beside: ours },
	{ work: patches, figure: 'speed', beside: httpRequest },
	{ work: list, figure: 'speed', beside: httpRequest },
	{ work: list, figure: 'cpu', beside: httpRequest },
	{ work: files, figure: 'speed', beside: httpRequest },
	{ work: bigFile, figure: 'megabytes' },
	{ work: many, figure: 'connections' },
	{ work: many, figure: 'stall' },
];

/** The workloads of these measures, each with its measured variants. */
export const variantsByWork = (chosen: readonly Measure[]): Map<Work, Set<string>> => {
	const variants = new Map<Work, Set<string>>();
	for (const { work, variant = ours, beside = ours } of chosen) {
		variants.set(work, new Set([...(variants.get(work) ?? []), variant, beside]));
	}
	return variants;
};
