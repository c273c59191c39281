// `npm run bench -- queue` measures how many rows one worker of n8n's queue mode sends per second, and how many two
// send together. The figures are medians of the rounds. It writes its table into docs/scaling.md. ROUNDS sets the
// number of rounds (default 3).
import { sandboxCredential } from '../n8n-in-process/sandboxCredential.mts';
import { waitForExecutions } from '../n8n-full/executions.mts';
import { startQueueMode, type QueueModeN8n } from '../n8n-full/queueMode.mts';
import { createCredential, publishCreateWorkflow } from '../n8n-full/webhookWorkflows.mts';
import { table } from '../scripts/docs/markdown.mts';
import { writeParts } from '../scripts/docs/pages.mts';
import { formatNumber, machineDescription, median, rounded } from './report.mts';
import { startServices } from './service/startService.mts';

const rounds = Number(process.env.ROUNDS ?? 3);
/** The milliseconds before each response. */
const latency = 100;
const workerCounts = [1, 2];
const workloads = [
	{ executions: 60, rows: 20 },
	{ executions: 10, rows: 500 },
];
type QueueWorkload = (typeof workloads)[number];

/** @returns rows per second, from the start of the first execution to the end of the last */
async function measure(
	{ session }: QueueModeN8n,
	url: string,
	work: QueueWorkload,
): Promise<number> {
	const account = sandboxCredential(url, { grantType: 'password' });
	const { id, startExecution } = await publishCreateWorkflow(
		session,
		await createCredential(session, account),
	);
	const names = Array.from({ length: work.rows }, (_, row) => `row ${row}`);
	await Promise.all(Array.from({ length: work.executions }, () => startExecution(names)));
	const ended = await waitForExecutions(session, id, work.executions);
	if (ended.some(({ status }) => status !== 'success')) throw new Error('an execution failed');
	const first = Math.min(...ended.map(({ createdAt }) => Date.parse(createdAt)));
	const last = Math.max(...ended.map(({ stoppedAt }) => Date.parse(stoppedAt)));
	return (work.executions * work.rows * 1000) / (last - first);
}

const services = await startServices([{ latency }]);
const service = services.under({ latency });
const queueMode = await startQueueMode(17_600, Math.max(...workerCounts));
const measured = workloads.map((work) => ({
	work,
	rates: new Map(workerCounts.map((workerCount) => [workerCount, [] as number[]])),
}));
try {
	for (let round = 0; round < rounds; round++) {
		for (const workerCount of workerCounts) {
			const idle = queueMode.workers.slice(workerCount);
			await Promise.all(idle.map((worker) => worker.stop()));
			// The first run warms up the code and is not counted.
			await measure(queueMode, service.url, workloads[0]!);
			for (const { work, rates } of measured) {
				const rate = await measure(queueMode, service.url, work);
				rates.get(workerCount)!.push(rate);
				console.log(
					`${workerCount} workers, ${JSON.stringify(work)}: ${formatNumber(rate)} rows/s`,
				);
			}
			await Promise.all(idle.map((worker) => worker.start()));
		}
	}
} finally {
	await queueMode.close();
	services.stop();
}

const lines = measured.map(({ work: { executions, rows }, rates }) => {
	const each = workerCounts.map((workerCount) => median(rates.get(workerCount)!));
	return [
		`${executions} executions of ${rows} rows`,
		...each.map((rate) => `${formatNumber(rate)} (${formatNumber(rate / rows)})`),
	];
});
const head = ['Rows/s (executions/s)', '1 worker', '2 workers'];
const text = `${table(head, lines)}\n\nOn one machine, ${rounded(rounds)}: ${machineDescription()}.`;
await writeParts({ queue: text }, 'npm run bench -- queue');
