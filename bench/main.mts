// `npm run bench` compares this package with other variants of doing the same work, in n8n's engine with n8n's
// production expressions. Every measurement runs in a process of its own. Each round measures all variants one after
// another, and the figures are medians of the rounds. It writes docs/benchmarks.md and its chart. ROUNDS sets how many
// rounds there are (5 by default); ONLY names the comparisons to measure, and then nothing is written, only printed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CpuShares } from './client/cpuProfile.mts';
import { comparisons, type Comparison } from './comparisons.mts';
import { writePage, writePicture } from './writeDocs.mts';
import {
	measureLoadTime,
	measureVariant,
	runTask,
	type MeasuredComparison,
	type Results,
} from './measure.mts';
import { ours, oursAgain } from './variants.mts';
import { randomFile } from './randomFile.mts';
import { speedChart } from './report/speedChart.mts';
import { benchmarksPage } from './report/benchmarksPage.mts';
import { comparisonTitle, comparisonSection } from './report/tables.mts';
import { startServices } from './service/startServices.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const only = process.env.ONLY?.split(',');
const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const certificate = join(folder, 'certificate.pem');

const unknown = only?.filter((name) => !(name in comparisons)) ?? [];
if (unknown.length > 0) {
	throw new Error(
		`ONLY names ${unknown.join(', ')}; there are ${Object.keys(comparisons).join(', ')}`,
	);
}
const results = Object.fromEntries(
	Object.entries(comparisons)
		.filter(([name]) => only?.includes(name) ?? true)
		.map(([name, list]) => [name, list.map((one: Comparison) => ({ ...one, byVariant: {} }))]),
) as Results;
const all = Object.values(results).flat();
const loads: number[] = [];
let profile: CpuShares = {};

const services = await startServices(
	all.map(({ service }) => service),
	certificate,
);

/** Measures each variant once, and this package a second time where the comparison asks for it. */
async function measureRound(measured: MeasuredComparison): Promise<void> {
	const { workload, items, service, variants, measureAgain, megabytes, byVariant } = measured;
	const files = megabytes && {
		measured: randomFile(folder, megabytes),
		small: randomFile(folder, 1),
	};
	const runs = variants.flatMap((variant) => [
		{ name: variant, variant },
		...(measureAgain && variant === ours ? [{ name: oursAgain, variant, isSecondRun: true }] : []),
	]);
	for (const { name, ...run } of runs) {
		const task = { workload, items, ...run, ...(files && { files }) };
		const round = await measureVariant(task, services.under(service), certificate);
		(byVariant[name] ??= []).push(round);
		const failed = round.failed > 0 ? `, ${round.failed} FAILED` : '';
		console.log(
			`${comparisonTitle(measured)}: ${name}: ${Math.round(round.milliseconds)} ms${failed}`,
		);
	}
}

try {
	for (let round = 0; round < rounds; round++) {
		for (const one of all) if (round < (one.rounds ?? rounds)) await measureRound(one);
		if (!only) for (let n = 0; n < 5; n++) loads.push(await measureLoadTime());
	}
	if (!only) {
		const { url } = services.under({ latency: 0 });
		const task = { workload: 'create', variant: ours, url, items: 2000, profile: true } as const;
		profile = (await runTask(task, certificate)).shares!;
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}
if (only) console.log(all.map(comparisonSection).join('\n\n'));
else {
	const page = benchmarksPage(results, loads, profile, rounds);
	await writePage('benchmarks.md', page);
	writePicture('benchmarks.svg', speedChart(results));
	console.log(page);
}
