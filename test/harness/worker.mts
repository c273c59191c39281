// One process of n8n: runs the workflows its parent sends it, with the built package, several at once.
// Argument: the folder of the store it shares. Started by startWorkers(); ends with its parent.
import { createRequire } from 'node:module';

import type { IDataObject } from 'n8n-workflow';

import type * as Pace from '../../engine/once/pace.ts';

import { loadPackage } from '../../n8n-in-process/package.mts';
import { runWorkflow, type WorkflowFile } from '../../n8n-in-process/workflow.mts';
import { KeyRows, useKeyRows, type WritingCall } from '../../n8n-in-process/deduplication.mts';
import { SharedStore } from './sharedStore.mts';

/** A call of n8n's store of keys in which the process dies at once, before or after the row is written. */
export interface Death {
	kind: 'record' | 'remove';
	/** The how manieth of its kind, from 1. */
	call: number;
	written: boolean;
}

export interface Job {
	id: number;
	file: WorkflowFile;
	death?: Death;
	/** How long Send Once waits in this process from now on. */
	waitingTimes?: Partial<typeof Pace.waitingTimes>;
}

/** What came of a workflow. */
export interface Execution {
	/** The error that stopped it. */
	error?: { message: string; description?: string | null };
	/** Items of each node's main output. */
	output: Record<string, IDataObject[]>;
}

export type Report = 'ready' | { id: number; execution: Execution };

const tell = (report: Report) => process.send!(report);

const require = createRequire(import.meta.url);
const { waitingTimes } = require('../../dist/engine/once/pace.js') as typeof Pace;

const keys = new KeyRows(process.argv[2]!);
await useKeyRows(keys);
const parts = { ...(await loadPackage()), credentials: new SharedStore(process.argv[2]!) };

async function execute(file: WorkflowFile): Promise<Execution> {
	const { run, output } = await runWorkflow(file, parts);
	const { error } = run.data.resultData;
	return {
		error: error && { message: error.message, description: error.description },
		output: Object.fromEntries(
			file.nodes.map(({ name }) => [name, (output(name)[0] ?? []).map(({ json }) => json)]),
		),
	};
}

const die = () => process.kill(process.pid, 'SIGKILL');

function dieAt({ kind, call, written }: Death): void {
	let count = 0;
	const isDue = (called: WritingCall, isWritten: boolean) =>
		called === kind && isWritten === written && ++count === call;
	keys.between = (called) => void (isDue(called, false) && die());
	keys.written = (called) => void (isDue(called, true) && die());
}

for (const end of ['SIGTERM', 'disconnect'] as const) process.on(end, () => process.exit());
process.on('message', ({ id, file, death, waitingTimes: given }: Job) => {
	Object.assign(waitingTimes, given);
	if (death) dieAt(death);
	void execute(file).then((execution) => tell({ id, execution }));
});
tell('ready');
