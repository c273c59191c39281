// What each bench measures, for `node bench/stale.mts`: where its figures are, and the code that they depend on.

export interface BenchDependencies {
	/** The npm script that makes the figures. */
	bench: string;
	/** A picture, or a part of a page as `git log -L` takes it, that changes only with the figures. */
	figures: { file: string } | { lines: string };
	/** Files and folders on which the figures depend. */
	code: string[];
}

/** The steps that every request of a node goes through. */
const pipeline = [
	'engine/run.ts',
	'engine/kinds',
	'engine/answer',
	'engine/send',
	'engine/request',
	'engine/items',
	'engine/values',
	'engine/auth',
	'engine/http',
];

export const benchDependencies: BenchDependencies[] = [
	{ bench: 'bench', figures: { file: 'docs/pictures/benchmarks.svg' }, code: pipeline },
	{ bench: 'bench -- full', figures: { file: 'docs/pictures/full-n8n.svg' }, code: pipeline },
	{
		bench: 'bench -- queue',
		figures: { lines: '/<!-- queue: made/,/<!-- end of queue/:docs/scaling.md' },
		code: pipeline,
	},
	{
		bench: 'bench -- keys',
		figures: { lines: '/<!-- keys: made/,/<!-- end of keys/:docs/across-runs.md' },
		code: ['engine/once', ...pipeline],
	},
	{
		bench: 'bench -- faults',
		figures: { lines: '/npm run bench -- faults/,/^## /:docs/reliability.md' },
		code: ['engine/send', 'engine/answer', 'engine/items', 'engine/kinds'],
	},
];
