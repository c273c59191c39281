// `npm run bench -- full` compares this package with the HTTP Request node in the full n8n that users have, with its
// database, its encrypted credentials and its expression engine. Every measurement is an n8n process of its own. Each
// round measures both nodes one after the other, and the figures are medians of the rounds. It writes docs/full-n8n.md
// and its chart. ROUNDS sets how many rounds there are (5 by default).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { comparisons } from '../comparisons.mts';
import { writePage, writePicture } from '../writeDocs.mts';
import { httpRequest, ours } from '../variants.mts';
import { speedChart } from '../report/speedChart.mts';
import type { TimedComparison } from '../report/statistics.mts';
import { comparisonTitle } from '../report/tables.mts';
import { startServices } from '../service/startServices.mts';
import { openBenchN8n } from './benchN8n.mts';
import { fullN8nPage, type FullResults } from './fullN8nPage.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const { create, far, expressions } = comparisons;
const timed = (list: ReadonlyArray<Omit<TimedComparison, 'byVariant'>>): TimedComparison[] =>
	list.map(({ workload, items, service }) => ({ workload, items, service, byVariant: {} }));
const results: FullResults = {
	create: timed(create),
	far: timed(far),
	expressions: timed(expressions),
};
const all = Object.values(results).flat();

const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const certificate = join(folder, 'certificate.pem');
const services = await startServices(
	all.map(({ service }) => service),
	certificate,
);
try {
	const n8n = await openBenchN8n(folder, certificate);
	for (let round = 0; round < rounds; round++) {
		for (const one of all) {
			for (const variant of [ours, httpRequest]) {
				const milliseconds = await n8n.run(
					one.workload,
					variant,
					services.under(one.service).url,
					one.items,
				);
				(one.byVariant[variant] ??= []).push({ milliseconds });
				console.log(`${comparisonTitle(one)}: ${variant}: ${milliseconds} ms`);
			}
		}
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}
await writePage('full-n8n.md', fullN8nPage(results, rounds));
writePicture('full-n8n.svg', speedChart(results));
