// `npm run bench`: this package beside other ways of doing the same, in n8n's engine with n8n's production
// expressions. Every measurement is a process of its own; ways are interleaved, rounds repeated, medians taken.
// ROUNDS (3) changes how often; writes docs/benchmarks.md and its chart.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { chart } from './chart.mts';
import type { Shares } from './profile.mts';
import { report, type Measured } from './report.mts';
import type { Stats } from './service.mts';
import type { Taken, Task } from './worker.mts';

const rounds = Number(process.env.ROUNDS ?? 3);
const here = import.meta.dirname;
const docs = join(here, '..', 'docs');
const folder = mkdtempSync(join(tmpdir(), 'agency-bench-'));

interface Comparison extends Pick<Task, 'kind' | 'items'> {
	latency: number;
	ways: string[];
	megabytes?: number;
	rounds?: number;
}

const all = [
	'ours',
	'ours, 128 at once',
	'HTTP Request',
	'routing node',
	'bare loop',
	'keep-alive client',
];
const both = ['ours', 'HTTP Request'];
const comparisons: Comparison[] = [
	...[0, 20, 100].map((latency) => ({
		kind: 'create' as const,
		items: 2000,
		latency,
		ways: all,
	})),
	...[0, 20].map((latency) => ({
		kind: 'expressions' as const,
		items: 2000,
		latency,
		ways: both,
	})),
	{ kind: 'patches', items: 10_000, latency: 20, ways: both },
	{ kind: 'list', items: 1, latency: 20, ways: both },
	{ kind: 'upload', items: 10, megabytes: 10, latency: 0, ways: both },
	{ kind: 'upload', items: 1, megabytes: 1000, latency: 0, ways: ['ours', 'axios + form-data'] },
	{ kind: 'create', items: 20_000, latency: 0, ways: both, rounds: 1 },
];

async function startService(latency: number): Promise<{ url: string; child: ChildProcess }> {
	const child = spawn(process.execPath, [join(here, 'service.mts'), String(latency)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [port] = (await once(child.stdout, 'data')) as [Buffer];
	return { url: `http://127.0.0.1:${Number(String(port))}`, child };
}

function fileOf(megabytes: number): string {
	const path = join(folder, `${megabytes}.bin`);
	const file = openSync(path, 'w');
	for (let n = 0; n < megabytes; n++) writeSync(file, randomBytes(1_000_000));
	closeSync(file);
	return path;
}

/** What did not come to an end. */
const broken = (failed: number): Taken => ({
	milliseconds: NaN,
	cpu: NaN,
	megabytes: NaN,
	stall: NaN,
	outputs: 0,
	failed,
});

async function run(task: Task): Promise<Taken> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--expose-gc', join(here, 'worker.mts'), JSON.stringify(task)],
		{ timeout: 300_000, maxBuffer: 64 * 1024 * 1024 },
	);
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as Taken;
}

/** Milliseconds to load all nodes and the credential, in a fresh process. */
async function loadTime(): Promise<number> {
	const { stdout } = await promisify(execFile)(process.execPath, [join(here, 'load.cjs')]);
	return Number(stdout);
}

const services = new Map<number, Awaited<ReturnType<typeof startService>>>();
for (const latency of new Set(comparisons.map((comparison) => comparison.latency))) {
	services.set(latency, await startService(latency));
}
const smallFile = fileOf(1);
const files = new Map<number, string>();
for (const { megabytes } of comparisons) {
	if (megabytes !== undefined) files.set(megabytes, fileOf(megabytes));
}

const measured: Measured[] = comparisons.map(({ kind, items, latency, megabytes }) => ({
	kind,
	items,
	latency,
	megabytes,
	byWay: {},
}));
const loads: number[] = [];
let profile: Shares = {};
try {
	for (let round = 0; round < rounds; round++) {
		for (const [index, comparison] of comparisons.entries()) {
			const { kind, items, latency, ways, megabytes } = comparison;
			if (round >= (comparison.rounds ?? rounds)) continue;
			const { url } = services.get(latency)!;
			const stats = async () => (await (await fetch(`${url}/stats`)).json()) as Stats;
			for (const way of ways) {
				const file = megabytes === undefined ? undefined : files.get(megabytes);
				await stats();
				const task = { kind, way, url, items, file, ...(file && { smallFile }) };
				const taken = await run(task).catch((error: Error) => {
					console.log(error.message);
					return broken(items);
				});
				const { connections } = await stats();
				(measured[index]!.byWay[way] ??= []).push({ ...taken, connections });
				console.log(
					`round ${round + 1}: ${items} × ${kind}, ${latency} ms, ${way}: ${Math.round(taken.milliseconds)} ms${taken.failed > 0 ? `, ${taken.failed} FAILED` : ''}`,
				);
			}
		}
		for (let n = 0; n < 5; n++) loads.push(await loadTime());
	}
	const { url } = services.get(0)!;
	const profiled = await run({ kind: 'create', way: 'ours', url, items: 2000, profile: true });
	profile = profiled.shares!;
} finally {
	for (const { child } of services.values()) child.kill();
	rmSync(folder, { recursive: true, force: true });
}
const page = report(measured, loads, profile, rounds);
writeFileSync(join(docs, 'benchmarks.md'), page);
writeFileSync(join(docs, 'pictures', 'benchmarks.svg'), chart(measured));
console.log(page);
