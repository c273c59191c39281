// `npm run bench -- keys`: what Send Once costs, in the full n8n with its database. Every measurement is an n8n
// process of its own; ways are interleaved, rounds repeated, medians taken. ROUNDS (5) changes how often; writes
// the table in docs/across-runs.md.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { writePart } from '../docs.mts';
import { openHome } from '../full/home.mts';
import { measured } from '../full/workflow.mts';
import { ours, oursOnce } from '../names.mts';
import { median, shown } from '../report/figures.mts';
import { machine } from '../report/machine.mts';
import { table } from '../report/tables.mts';
import { startServices } from '../service/places.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const items = 5000;
const place = { latency: 20 };

/** A way, with as many keys remembered before. */
const cases = [
	{ way: ours, remembered: 0 },
	{ way: oursOnce, remembered: 0 },
	{ way: oursOnce, remembered: 10_000 },
	{ way: oursOnce, remembered: 90_000 },
];
const figures = cases.map(() => ({ milliseconds: [] as number[], processor: [] as number[] }));

const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const processorTime = join(folder, 'processor-time');

/** Puts the row of the measured node's keys in n8n's database. */
function remember(count: number): void {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'));
	database.prepare('DELETE FROM processed_data').run();
	const data = Array.from({ length: count }, (_, n) =>
		createHash('md5').update(`${n}`).digest('base64'),
	);
	if (count > 0) {
		database
			.prepare('INSERT INTO processed_data ("workflowId", "context", "value") VALUES (?, ?, ?)')
			.run('bench', `n:${measured}`, JSON.stringify({ mode: 'entries', data }));
	}
	database.close();
}

const certificate = join(folder, 'certificate.pem');
const services = await startServices([place], certificate);
try {
	const home = await openHome(folder, certificate, {
		NODE_OPTIONS: `--require=${join(import.meta.dirname, 'processorTime.cjs')}`,
		PROCESSOR_TIME: processorTime,
	});
	const { url } = services.at(place);
	// The first run makes the tables.
	await home.run('create', ours, url, 1);
	for (let round = 0; round < rounds; round++) {
		for (const [at, { way, remembered }] of cases.entries()) {
			remember(remembered);
			const milliseconds = await home.run('create', way, url, items);
			const processor = Number(readFileSync(processorTime, 'utf8'));
			figures[at]!.milliseconds.push(milliseconds);
			figures[at]!.processor.push(processor);
			console.log(`${way}, ${remembered} remembered: ${milliseconds} ms, processor ${processor}`);
		}
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}

const without = median(figures[0]!.processor);
const lines = cases.map(({ way, remembered }, at) => {
	const { milliseconds, processor } = figures[at]!;
	return [
		way === ours ? 'without a key' : `${remembered.toLocaleString('en')} keys remembered`,
		shown((items * 1000) / median(milliseconds)),
		way === ours ? '–' : shown((median(processor) - without) / items),
	];
});
const head = ['', 'items/s', 'more processor time per item (ms)'];
await writePart(
	'across-runs.md',
	'keys',
	`${table(head, lines)}

${items.toLocaleString('en')} creates at a service that answers after ${place.latency} ms; medians of ${rounds} rounds; ${machine()}.`,
);
