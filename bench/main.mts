// `npm run bench`: this package beside other ways of doing the same, in n8n's engine with n8n's production
// expressions. Every measurement is a process of its own; ways are interleaved, rounds repeated, medians taken.
// ROUNDS (5) changes how often; writes docs/benchmarks.md and its chart. ONLY (names of comparisons) measures
// some, and shows them instead.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Shares } from './client/profile.mts';
import { comparisons, type Comparison } from './comparisons.mts';
import { writePage, writePicture } from './docs.mts';
import { loadTime, measure, work, type Measured, type Results } from './measure.mts';
import { ours, oursAgain } from './names.mts';
import { randomFile } from './randomFile.mts';
import { chart } from './report/chart.mts';
import { report } from './report/report.mts';
import { title, titledTable } from './report/tables.mts';
import { startServices } from './service/places.mts';

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
		.map(([name, list]) => [name, list.map((one: Comparison) => ({ ...one, byWay: {} }))]),
) as Results;
const all = Object.values(results).flat();
const loads: number[] = [];
let profile: Shares = {};

const services = await startServices(
	all.map(({ place }) => place),
	certificate,
);

/** Measures each way once; ours also right after itself, if that is wanted. */
async function measureRound(measured: Measured): Promise<void> {
	const { kind, items, place, ways, again, megabytes, byWay } = measured;
	const files = megabytes && {
		measured: randomFile(folder, megabytes),
		small: randomFile(folder, 1),
	};
	const runs = ways.flatMap((way) => [
		{ name: way, way },
		...(again && way === ours ? [{ name: oursAgain, way, again }] : []),
	]);
	for (const { name, ...run } of runs) {
		const task = { kind, items, ...run, ...(files && { files }) };
		const round = await measure(task, services.at(place), certificate);
		(byWay[name] ??= []).push(round);
		const failed = round.failed > 0 ? `, ${round.failed} FAILED` : '';
		console.log(`${title(measured)}: ${name}: ${Math.round(round.milliseconds)} ms${failed}`);
	}
}

try {
	for (let round = 0; round < rounds; round++) {
		for (const one of all) if (round < (one.rounds ?? rounds)) await measureRound(one);
		if (!only) for (let n = 0; n < 5; n++) loads.push(await loadTime());
	}
	if (!only) {
		const { url } = services.at({ latency: 0 });
		const task = { kind: 'create', way: ours, url, items: 2000, profile: true } as const;
		profile = (await work(task, certificate)).shares!;
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}
if (only) console.log(all.map(titledTable).join('\n\n'));
else {
	const page = report(results, loads, profile, rounds);
	await writePage('benchmarks.md', page);
	writePicture('benchmarks.svg', chart(results));
	console.log(page);
}
