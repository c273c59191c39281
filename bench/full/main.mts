// `npm run bench -- full`: this package beside the HTTP Request node in the full n8n, as its users have it: with its
// database, its encrypted credentials and its expression engine. Every measurement is an n8n process of its own;
// ways are interleaved, rounds repeated, medians taken. ROUNDS (5) changes how often; writes docs/full-n8n.md and
// its chart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { comparisons } from '../comparisons.mts';
import { writePage, writePicture } from '../docs.mts';
import { httpRequest, ours } from '../names.mts';
import { chart } from '../report/chart.mts';
import type { Timed } from '../report/figures.mts';
import { title } from '../report/tables.mts';
import { startServices } from '../service/places.mts';
import { openHome } from './home.mts';
import { page, type FullResults } from './page.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const { create, far, expressions } = comparisons;
const timed = (list: ReadonlyArray<Omit<Timed, 'byWay'>>): Timed[] =>
	list.map(({ kind, items, place }) => ({ kind, items, place, byWay: {} }));
const results: FullResults = {
	create: timed(create),
	far: timed(far),
	expressions: timed(expressions),
};
const all = Object.values(results).flat();

const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const certificate = join(folder, 'certificate.pem');
const services = await startServices(
	all.map(({ place }) => place),
	certificate,
);
try {
	const home = await openHome(folder, certificate);
	for (let round = 0; round < rounds; round++) {
		for (const one of all) {
			for (const way of [ours, httpRequest]) {
				const milliseconds = await home.run(one.kind, way, services.at(one.place).url, one.items);
				(one.byWay[way] ??= []).push({ milliseconds });
				console.log(`${title(one)}: ${way}: ${milliseconds} ms`);
			}
		}
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}
await writePage('full-n8n.md', page(results, rounds));
writePicture('full-n8n.svg', chart(results));
