// A night in which a process of n8n is killed while it sends rows that have keys; then the next schedule sends the
// same rows again. Needs the built package.
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { nodeName, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import { useSandbox } from '../harness/useSandbox';
import { startWorkers, type Worker, type Workers } from '../harness/workers.mts';
import type { Death } from '../harness/worker.mts';

/** Rows of a night. */
export const rows = 240;

/** Requests of a night that are under way at once, at most. */
const parallelRequests = 8;

/** The most rows that a killed process may leave in doubt: docs/across-runs.md promises it. */
export const mostInDoubt = parallelRequests + 64;

/** Milliseconds. */
const longestLatency = 40;

/** Milliseconds that a run may take. */
const limit = 60_000;

/** The killed process is dead for sure, so the next one need not wait as long to find that out. */
const waitingTimes = { nobodySendsAfter: 200, holderIsDeadAfter: 200, looksBeforeBreaking: 30 };

/** What became of the rows of a night. */
export interface NightResult {
	/** Whether the process died before its workflow had ended. */
	died: boolean;
	/** Rows that are in the service more than once. */
	doubled: number;
	/** Rows that are not in the service, and were not named as in doubt. */
	lost: number;
	inDoubt: number;
}

/** Creates of the night so far. */
type OnCreate = (count: number) => void;

/** How a process is killed. */
export interface Killing {
	/** Called when a create has arrived at the service, and when one was answered. */
	onArrival?: (count: number, worker: Worker) => void;
	onAnswer?: (count: number, worker: Worker) => void;
	/** The process kills itself at this call of n8n's store of keys. */
	death?: Death;
}

const nameOf = (night: string, row: number) => `${night}, row ${row}`;

/** @param only rows to send; all by default */
function workflow(night: string, options: IDataObject = {}, only?: number[]) {
	const numbers = only ?? Array.from({ length: rows }, (_, row) => row);
	return singleNodeWorkflow({
		type: 'n8n-nodes-agency-records.agencyShiftSchedules',
		parameters: {
			specifyFields: 'inputItem',
			options: {
				sendOnceKey: '={{ $json.name }}',
				// All nights are of one node.
				sendOnceRemember: 100_000,
				parallelRequests,
				...options,
			} as never,
		},
		items: numbers.map((row) => ({ json: { name: nameOf(night, row) } })),
		nodeSettings: { onError: 'continueRegularOutput' },
	});
}

/** @param seed of the sandbox's latencies */
export function useNights(seed: number) {
	let onArrival: OnCreate = () => {};
	let onAnswer: OnCreate = () => {};
	let arrived = 0;
	let answered = 0;
	const sandbox = useSandbox({
		seed,
		latencySpread: longestLatency,
		onArrival(operation) {
			if (operation === 'createShiftSchedule') onArrival(++arrived);
		},
		onDone(operation) {
			if (operation === 'createShiftSchedule') onAnswer(++answered);
		},
	});
	let team: Workers;
	beforeAll(async () => (team = await startWorkers(1, sandbox.credentials())));
	const report: string[] = [];
	afterAll(async () => {
		await team.stop();
		if (report.length > 0) console.log(`seed ${seed}\n${report.join('\n')}`);
	});

	/** How often each row of a night is in the service. */
	const countsOf = (night: string): number[] => {
		const counts = sandbox.records.countBy('shiftSchedule', 'name');
		return Array.from({ length: rows }, (_, row) => counts.get(nameOf(night, row)) ?? 0);
	};

	/** Waits until nothing of a dead process arrives any more: what it had sent is processed all the same. */
	async function quiet(): Promise<void> {
		let before: number;
		do {
			before = arrived;
			await delay(longestLatency * 5);
		} while (arrived > before);
	}

	/** One night: a process dies, the next schedule runs, a person looks up what it named as in doubt. */
	async function night(name: string, { death, ...killing }: Killing): Promise<NightResult> {
		arrived = answered = 0;
		const worker = await team.add();
		onArrival = (count) => killing.onArrival?.(count, worker);
		onAnswer = (count) => killing.onAnswer?.(count, worker);
		const died = await worker.run(workflow(name), { limit, death }).then(
			() => false,
			() => true,
		);
		await quiet();

		const [next] = team.workers as [Worker];
		const { output } = await next.run(workflow(name), { limit, waitingTimes });
		const isDoubtful = (entry: IDataObject) => JSON.stringify(entry).includes('is in doubt');
		const doubtful = output[nodeName]!.flatMap((entry, row) => (isDoubtful(entry) ? [row] : []));
		const before = countsOf(name);
		const missing = doubtful.filter((row) => before[row] === 0);
		const anyway = workflow(name, { sendOnceAnyway: 'inDoubt' }, missing);
		if (missing.length > 0) await next.run(anyway, { limit, waitingTimes });
		const counts = countsOf(name);
		return {
			died,
			doubled: counts.filter((count) => count > 1).length,
			lost: counts.filter((count) => count === 0).length,
			inDoubt: doubtful.length,
		};
	}

	return {
		night,
		/** A line that is printed at the end. */
		note: (line: string) => void report.push(line),
	};
}
