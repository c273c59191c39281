// `npm run bench -- keys` measures what the option “Send Once” costs in the full n8n with its database. Every
// measurement is an n8n process of its own. Each round measures all variants one after another, and the figures are
// medians of the rounds. It writes the table in docs/across-runs.md. ROUNDS sets how many rounds there are (5).
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { table } from '../../scripts/docs/markdown.mts';
import { writePart } from '../writeDocs.mts';
import { openBenchN8n } from '../full/benchN8n.mts';
import { measuredNode } from '../full/benchWorkflow.mts';
import { ours, oursOnce } from '../variants.mts';
import { median, formatNumber } from '../report/statistics.mts';
import { machineDescription } from '../report/machine.mts';
import { startServices } from '../service/startServices.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const items = 5000;
const conditions = { latency: 20 };

/** Each variant, and how many keys n8n remembers before it runs. */
const cases = [
	{ variant: ours, remembered: 0 },
	{ variant: oursOnce, remembered: 0 },
	{ variant: oursOnce, remembered: 10_000 },
	{ variant: oursOnce, remembered: 90_000 },
];
const figures = cases.map(() => ({ milliseconds: [] as number[], processor: [] as number[] }));

const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const processorTime = join(folder, 'processor-time');

/** Replaces the keys that the measured node remembers, in n8n's database. */
function setRememberedKeys(count: number): void {
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'));
	database.prepare('DELETE FROM processed_data').run();
	const data = Array.from({ length: count }, (_, n) =>
		createHash('md5').update(`${n}`).digest('base64'),
	);
	if (count > 0) {
		database
			.prepare('INSERT INTO processed_data ("workflowId", "context", "value") VALUES (?, ?, ?)')
			.run('bench', `n:${measuredNode}`, JSON.stringify({ mode: 'entries', data }));
	}
	database.close();
}

const certificate = join(folder, 'certificate.pem');
const services = await startServices([conditions], certificate);
try {
	const n8n = await openBenchN8n(folder, certificate, {
		NODE_OPTIONS: `--require=${join(import.meta.dirname, 'processorTime.cjs')}`,
		PROCESSOR_TIME: processorTime,
	});
	const { url } = services.under(conditions);
	// n8n creates its tables in the first run.
	await n8n.run('create', ours, url, 1);
	for (let round = 0; round < rounds; round++) {
		for (const [at, { variant, remembered }] of cases.entries()) {
			setRememberedKeys(remembered);
			const milliseconds = await n8n.run('create', variant, url, items);
			const processor = Number(readFileSync(processorTime, 'utf8'));
			figures[at]!.milliseconds.push(milliseconds);
			figures[at]!.processor.push(processor);
			console.log(
				`${variant}, ${remembered} remembered: ${milliseconds} ms, processor ${processor}`,
			);
		}
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}

const without = median(figures[0]!.processor);
const lines = cases.map(({ variant, remembered }, at) => {
	const { milliseconds, processor } = figures[at]!;
	return [
		variant === ours ? 'without a key' : `${remembered.toLocaleString('en')} keys remembered`,
		formatNumber((items * 1000) / median(milliseconds)),
		variant === ours ? '–' : formatNumber((median(processor) - without) / items),
	];
});
const head = ['', 'items/s', 'more processor time per item (ms)'];
await writePart(
	'across-runs.md',
	'keys',
	`${table(head, lines)}

${items.toLocaleString('en')} creates at a service that answers after ${conditions.latency} ms; medians of ${rounds} rounds; ${machineDescription()}.`,
);
