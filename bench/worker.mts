// One measurement in a process of its own: prints what it took as JSON. Argument: a Task as JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { INodeExecutionData } from 'n8n-workflow';

import { Container, core, setBinaryMode, useProductionExpressions } from '../runner/n8n.mts';
import { nodeName, storeWith, workflowOf } from '../runner/oneNode.mts';
import { loadPackage } from '../runner/package.mts';
import { sandboxCredential } from '../runner/sandboxCredential.mts';
import { runWorkflow } from '../runner/workflow.mts';
import { httpRequestType, loadHttpRequest } from './httpRequest.mts';
import { startProfile, type Shares } from './profile.mts';
import { benchNodes, keepAliveCreates, nodeWays, plainUpload } from './ways.mts';

export interface Task {
	kind: 'create' | 'expressions' | 'patches' | 'list' | 'upload';
	way: string;
	url: string;
	items: number;
	/** What an upload sends. */
	file?: string;
	smallFile?: string;
	/** Whether to find out where the time goes. */
	profile?: boolean;
}

export interface Taken {
	milliseconds: number;
	/** Of the processor, user and system. */
	cpu: number;
	/** Memory beyond what it had before, at its peak. */
	megabytes: number;
	/** Longest time the event loop stood still, in milliseconds. */
	stall: number;
	outputs: number;
	failed: number;
	shares?: Shares;
}

const task = JSON.parse(process.argv[2]!) as Task;
const { kind, way, url } = task;

const rows = (count: number) =>
	Array.from({ length: count }, (_, n) =>
		kind === 'patches'
			? { op: 'replace', path: [{ path: `/licenses/${n}` }], value: [{ userID: 7 }] }
			: {
					name: `Shift ${n}`,
					fromDate: '2026-03-01T07:00:00-05:00',
					toDate: '2026-03-02T07:00:00-05:00',
					stationNumber: '4',
				},
	);

/** Does the work, gives what came out. */
type Work = (count: number, file?: string) => Promise<{ outputs: number; failed: number }>;

async function nodeWork(): Promise<Work> {
	await setBinaryMode('filesystem');
	await useProductionExpressions();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const parts = {
		nodeTypes: {
			...nodeTypes,
			...benchNodes(url),
			...(way === 'HTTP Request' && { [httpRequestType]: await loadHttpRequest() }),
		},
		credentialTypes,
		credentials: storeWith(sandboxCredential(url, { grantType: 'password' })),
	};
	const chosen = nodeWays(url)[kind]![way]!;
	const location = { type: 'execution', workflowId: 'workflow', executionId: 'run' } as const;
	const storeFile = (file: string) =>
		Container.get(core.BinaryDataService).copyBinaryFile(
			location,
			{ mimeType: 'application/octet-stream', fileName: 'bench.bin', data: '' },
			file,
		);
	return async (count, file) => {
		const items: INodeExecutionData[] = file
			? await Promise.all(
					Array.from({ length: count }, async () => ({
						json: {},
						binary: { data: await storeFile(file) },
					})),
				)
			: rows(count).map((json) => ({ json }));
		begin();
		const { output, task: run } = await runWorkflow(workflowOf({ ...chosen, items }), parts);
		const error = run(nodeName)?.error;
		if (error) return { outputs: 0, failed: count };
		const made = output(nodeName)[0] ?? [];
		const failed = made.filter(({ json }) => json.error !== undefined).length;
		// A page is one item of the HTTP Request node.
		const outputs = made.reduce(
			(sum, { json }) => sum + (Array.isArray(json.vendors) ? json.vendors.length : 1),
			0,
		);
		return { outputs, failed };
	};
}

const plainWork: Record<string, Work> = {
	async 'keep-alive client'(count) {
		const items = rows(count);
		begin();
		await keepAliveCreates(url, items);
		return { outputs: count, failed: 0 };
	},
	async 'axios + form-data'(count, file) {
		begin();
		for (let n = 0; n < count; n++) await plainUpload(url, file!);
		return { outputs: count, failed: 0 };
	},
};

const loop = monitorEventLoopDelay({ resolution: 5 });
const rss = () => process.memoryUsage.rss();
let started = 0;
let cpu = process.cpuUsage();
let idle = 0;
let peak = 0;

/** What comes before is preparation. */
function begin(): void {
	globalThis.gc!();
	idle = peak = rss();
	loop.reset();
	cpu = process.cpuUsage();
	started = performance.now();
}

const work = plainWork[way] ?? (await nodeWork());
// Everything that is loaded, compiled or signed in once.
await work(kind === 'upload' ? 1 : Math.min(50, task.items), task.smallFile);
loop.enable();
const sampling = setInterval(() => (peak = Math.max(peak, rss())), 10);
const stopProfile = task.profile ? await startProfile() : undefined;
const result = await work(task.items, task.file);
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
clearInterval(sampling);
loop.disable();
const taken: Taken = {
	...result,
	milliseconds,
	cpu: (user + system) / 1000,
	megabytes: (Math.max(peak, rss()) - idle) / 1024 / 1024,
	stall: loop.max / 1e6,
	shares: await stopProfile?.(),
};
console.log(JSON.stringify(taken));
process.exit();
