// Measurements in the full n8n → docs/full-n8n.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { shown, speed, typical, type Timed } from '../report/figures.mts';
import { createsBeside, expressionsBeside, farBeside } from '../report/goals.mts';
import { goalTable } from '../report/goalTable.mts';
import { machine } from '../report/machine.mts';
import { table, title } from '../report/tables.mts';
import { httpRequest, ours } from '../names.mts';

export type FullResults = Record<'create' | 'far' | 'expressions', Timed[]>;

const runtimeVersion = (): string => {
	const path = join(import.meta.dirname, '..', '..', 'runtime', 'package.json');
	const { dependencies } = JSON.parse(readFileSync(path, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n;
};

/** Items in a second. */
const rate = (timed: Timed, way: string): string =>
	shown((timed.items * 1000) / typical(timed, way, ({ milliseconds }) => milliseconds));

export const page = (results: FullResults, rounds: number): string => `# In the full n8n

![Creating 2,000 records in the full n8n: how many times as fast as the HTTP Request node, by how far away the service is](pictures/full-n8n.svg)

Made by \`npm run bench -- full\` (${rounds} rounds, ways interleaved; every measurement an n8n process of its own): n8n ${runtimeVersion()} with SQLite, the package installed from its tarball, run by \`n8n execute\`. The time is what n8n itself gives for the node. Settings have their defaults. The code is warm, by 200 items with another account, and the account is signed in; nothing is known of the service yet.

${goalTable([createsBeside(results.create), farBeside(results.far), expressionsBeside(results.expressions)])}

Figures are medians of the ratios within a round. [Benchmarks](benchmarks.md) measures the same in n8n's engine alone, where a credential costs nothing: here the HTTP Request node reads it from the database, decrypts it and evaluates its fields anew for every item, and this package once a run.

${table(
	['Work', `${ours}: items/s`, `${httpRequest}: items/s`, 'ratio'],
	Object.values(results)
		.flat()
		.map((timed) => [
			title(timed),
			rate(timed, ours),
			rate(timed, httpRequest),
			`${shown(speed(timed, httpRequest))} ×`,
		]),
)}

Rates are of this machine only: ${machine()}.
`;
