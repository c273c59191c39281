// `npm run bench -- keys` measures what the option “Send Once” costs in the full n8n with PostgreSQL. Every
// measurement is an n8n process of its own. Each round measures all variants one after another, and the figures are
// medians of the rounds. It writes the table in docs/across-runs.md. ROUNDS sets how many rounds there are (5).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openTemporaryPostgres } from '../../n8n-full/databases.mts';
import { table } from '../../scripts/docs/markdown.mts';
import { writeParts } from '../../scripts/docs/pages.mts';
import { measuredNode, openBenchN8n } from '../full/benchN8n.mts';
import { ours, oursOnce } from '../goals.mts';
import { formatNumber, machineDescription, median, rounded } from '../report.mts';
import { startServices } from '../service/startService.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const items = 5000;
const conditions = { latency: 20 };

/** Each variant, and how many keys n8n remembers before it runs. */
const cases = [
	{ variant: ours, remembered: 0 },
	{ variant: oursOnce, remembered: 0 },
	{ variant: oursOnce, remembered: 10_000 },
	{ variant: oursOnce, remembered: 95_000 },
];
const figures = cases.map(() => ({
	milliseconds: [] as number[],
	processor: [] as number[],
	logBytes: [] as number[],
}));

const postgres = await openTemporaryPostgres(5960);
const { account, query } = postgres;

/** Replaces the keys that the measured node remembers, in n8n's database. */
async function setRememberedKeys(count: number): Promise<void> {
	await query('DELETE FROM processed_data');
	if (count === 0) return;
	const hash = "encode(decode(md5(n::text), 'hex'), 'base64')";
	await query(`
		INSERT INTO processed_data ("workflowId", "context", "value")
		SELECT 'bench', 'n:${measuredNode}', json_build_object('mode', 'entries', 'data', json_agg(${hash}))
		FROM generate_series(1, ${count}) AS n`);
}

/** Bytes that PostgreSQL has ever written to its log, once nothing of what was done before is still to be written. */
async function logPosition(): Promise<number> {
	await query('CHECKPOINT');
	return Number(await query("SELECT pg_current_wal_lsn() - '0/0'"));
}

const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const processorTime = join(folder, 'processor-time');
const services = await startServices([conditions]);
try {
	const environment = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: account.host,
		DB_POSTGRESDB_PORT: String(account.port),
		DB_POSTGRESDB_DATABASE: account.database,
		DB_POSTGRESDB_USER: account.user,
		NODE_OPTIONS: `--require=${join(import.meta.dirname, 'processorTime.cjs')}`,
		PROCESSOR_TIME: processorTime,
	};
	const n8n = await openBenchN8n(services.certificate, environment, query);
	const { url } = services.under(conditions);
	// n8n creates its tables in the first run.
	await n8n.run('create', ours, url, 1);
	for (let round = 0; round < rounds; round++) {
		for (const [at, { variant, remembered }] of cases.entries()) {
			await setRememberedKeys(remembered);
			const before = await logPosition();
			const milliseconds = await n8n.run('create', variant, url, items);
			const logBytes = (await logPosition()) - before;
			const processor = Number(readFileSync(processorTime, 'utf8'));
			figures[at]!.milliseconds.push(milliseconds);
			figures[at]!.processor.push(processor);
			figures[at]!.logBytes.push(logBytes);
			console.log(
				`${variant}, ${remembered} remembered: ${milliseconds} ms, processor ${processor}, log ${logBytes}`,
			);
		}
	}
	n8n.close();
} finally {
	services.stop();
	await postgres.stop();
	rmSync(folder, { recursive: true, force: true });
}

const medians = figures.map(({ milliseconds, processor, logBytes }) => ({
	milliseconds: median(milliseconds),
	processor: median(processor),
	logBytes: median(logBytes),
}));
const without = medians[0]!;
const lines = cases.map(({ variant, remembered }, at) => {
	const { milliseconds, processor, logBytes } = medians[at]!;
	const isWithout = variant === ours;
	return [
		isWithout ? 'without a key' : `${remembered.toLocaleString('en')} keys remembered`,
		formatNumber((items * 1000) / milliseconds),
		isWithout ? '–' : formatNumber((processor - without.processor) / items),
		isWithout ? '–' : formatNumber((logBytes - without.logBytes) / items / 1000),
	];
});
const head = [
	'',
	'items/s',
	'more processor time per item (ms)',
	"more of PostgreSQL's log per item (kB)",
];
const text = `${table(head, lines)}

${items.toLocaleString('en')} creates at a service that answers after ${conditions.latency} ms, in the full n8n with PostgreSQL; ${rounded(rounds)}; ${machineDescription()}.`;
await writeParts({ keys: text }, 'npm run bench -- keys');
