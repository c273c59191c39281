// `npm run bench` compares this package with other ways of doing the same work, in n8n's engine with n8n's production
// expressions. Every measurement runs in a process of its own. Each round measures all variants one after another. It
// writes the table in docs/benchmarks.md. ROUNDS sets the number of rounds (default 5); ONLY names the workloads to
// measure, such as `ONLY=far,small`; then the table is only printed. If a figure is worse than the best one published,
// it names the figure and exits with 1.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { writeParts } from '../scripts/docs/pages.mts';
import type { MeasurementTask } from './client/nodeClient.mts';
import { measures, variantsByWork, type Work } from './measures.mts';
import { figuresTable, reportFallen, Rounds, type Round } from './report.mts';
import { startServices } from './service/startService.mts';

const rounds = Number(process.env.ROUNDS ?? 5);
const only = process.env.ONLY?.split(',');
const chosen = measures.filter(({ work }) => only?.includes(work.name) ?? true);
const works = variantsByWork(chosen);

const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));
const services = await startServices([...works.keys()].flatMap((work) => work.services));

/** A file of random bytes of that size (in 10^6 bytes), created when it is first needed. */
function randomFile(megabytes: number): string {
	const path = join(folder, `${megabytes}.bin`);
	if (existsSync(path)) return path;
	const file = openSync(path, 'w');
	for (let n = 0; n < megabytes; n++) writeSync(file, randomBytes(1_000_000));
	closeSync(file);
	return path;
}

type Taken = Omit<Round, 'connections'> & { failed: number };

/** Runs a task in a new process. */
async function runTask(task: MeasurementTask): Promise<Taken> {
	const program = join(import.meta.dirname, 'client', 'measuringProcess.mts');
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--expose-gc', program, JSON.stringify(task)],
		{
			timeout: 300_000,
			maxBuffer: 64 * 1024 * 1024,
			env: { ...process.env, NODE_EXTRA_CA_CERTS: services.certificate },
		},
	);
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as Taken;
}

/** A variant whose process crashes has no figures. */
const nothing = { milliseconds: NaN, cpu: NaN, megabytes: NaN, stall: NaN };

const results = new Rounds();

async function measure(work: Work, service: number, variant: string): Promise<void> {
	const { workload, items, megabytes, title } = work;
	const { url, mostConnections } = services.under(work.services[service]!);
	const files = megabytes && { measured: randomFile(megabytes), small: randomFile(1) };
	await mostConnections();
	const { failed, ...taken } = await runTask({
		workload,
		variant,
		url,
		items,
		...(files && { files }),
	}).catch((error: Error) => {
		console.log(error.message);
		return { ...nothing, failed: items };
	});
	results
		.of(work, service, variant)
		.push({ ...(failed > 0 ? nothing : taken), connections: await mostConnections() });
	console.log(title, work.services[service], variant, taken, failed > 0 ? `${failed} FAILED` : '');
}

try {
	for (let round = 0; round < rounds; round++) {
		for (const [work, variants] of works) {
			for (const service of work.services.keys()) {
				for (const variant of variants) await measure(work, service, variant);
			}
		}
	}
} finally {
	services.stop();
	rmSync(folder, { recursive: true, force: true });
}
const command = 'npm run bench';
const text = figuresTable(chosen, results, 'bench', { command, rounds });
console.log(text);
reportFallen(chosen, results, 'bench');
if (!only) await writeParts({ bench: text }, command);
