// Writes docs/full-n8n.md from measurements in the full n8n.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { table } from '../../scripts/docs/markdown.mts';
import {
	formatNumber,
	timesAsFast,
	medianOf,
	type TimedComparison,
} from '../report/statistics.mts';
import { createsBeside, expressionsBeside, farBeside } from '../report/goals.mts';
import { goalTable } from '../report/goalTable.mts';
import { machineDescription } from '../report/machine.mts';
import { comparisonTitle } from '../report/tables.mts';
import { httpRequest, ours } from '../variants.mts';

export type FullResults = Record<'create' | 'far' | 'expressions', TimedComparison[]>;

const runtimeVersion = (): string => {
	const path = join(import.meta.dirname, '..', '..', 'n8n-full', 'package.json');
	const { dependencies } = JSON.parse(readFileSync(path, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n;
};

/** Items per second. */
const rate = (timed: TimedComparison, variant: string): string =>
	formatNumber((timed.items * 1000) / medianOf(timed, variant, ({ milliseconds }) => milliseconds));

export const fullN8nPage = (results: FullResults, rounds: number): string => `# In the full n8n

![Creating 2,000 records in the full n8n: how many times as fast as the HTTP Request node, by how far away the service is](pictures/full-n8n.svg)

Made by \`npm run bench -- full\` (${rounds} rounds, each round measures both nodes one after the other; every measurement an n8n process of its own): n8n ${runtimeVersion()} with SQLite, the package installed from its tarball, run by \`n8n execute\`. The time is what n8n itself gives for the node. Settings have their defaults. The code is warm, by 200 items with another account, and the account is signed in; nothing is known of the service yet.

${goalTable([createsBeside(results.create), farBeside(results.far), expressionsBeside(results.expressions)])}

Figures are medians of the ratios within a round. [Benchmarks](benchmarks.md) measures the same in n8n's engine alone, where a credential costs nothing: here the HTTP Request node reads it from the database, decrypts it and evaluates its fields anew for every item, and this package once a run.

${table(
	['Work', `${ours}: items/s`, `${httpRequest}: items/s`, 'ratio'],
	Object.values(results)
		.flat()
		.map((timed) => [
			comparisonTitle(timed),
			rate(timed, ours),
			rate(timed, httpRequest),
			`${formatNumber(timesAsFast(timed, httpRequest))} ×`,
		]),
)}

Rates are of this machine only: ${machineDescription()}.
`;
