// Runs an operation of a node, in the steps that all nodes share: form → values → request → send → answer → items.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isWriting, type Area, type Operation } from './area';
import { chosenOperation } from './form/chosenOperation';
import { Failure } from './failure';
import { asFailure } from './items/errors';
import { Ledger } from './items/ledger';
import type { Job } from './kinds/job';
import { readItems } from './kinds/readItems';
import { tasksOf, maxParallelOf, type Task } from './kinds/tasks';
import { runInParallel } from './send/parallel';
import { RunLog } from './log/runLog';
import { SendOnce } from './once/sendOnce';
import { ExecutionResume } from './once/executionResume';
import { RunStatistics } from './send/runStatistics';
import { openServiceAccess } from './send/serviceAccess';

async function* startingWith<Value>(
	first: Value,
	others: AsyncIterable<Value>,
): AsyncGenerator<Value> {
	yield first;
	yield* others;
}

const toFailure = (error: unknown): Failure => asFailure(error, 'notSent');

/** Sends the jobs in parallel. Whatever happens, what becomes of each job is entered in the ledger. */
async function sendAll(
	ctx: IExecuteFunctions,
	operation: Operation,
	validJobs: AsyncGenerator<Job, void>,
	ledger: Ledger,
	executionResume: ExecutionResume | undefined,
	statistics: RunStatistics,
	log: RunLog,
): Promise<void> {
	const { sendable, stop } = ledger;
	const { done, value: firstJob } = await validJobs.next();
	if (done) return;
	const { settings } = firstJob.values;
	const jobs = startingWith(firstJob, validJobs);
	const maxParallel = maxParallelOf(operation, settings);
	const openForSending = async () => {
		const access = await openServiceAccess(ctx, operation, maxParallel, stop, statistics);
		if (settings.sendOnceKey === undefined) return { access };
		const { baseUrl } = access.user;
		const knowsEarlierSends = executionResume?.knowsEarlierSends ?? true;
		return {
			access,
			sendOnce: await SendOnce.open(ctx, {
				operation,
				ledger,
				settings,
				baseUrl,
				knowsEarlierSends,
			}),
		};
	};
	const obstacle = ledger.obstacle ?? executionResume?.obstacle(settings);
	const opened = obstacle ?? (await openForSending().catch(toFailure));
	if (opened instanceof Failure) {
		for await (const { itemIndex } of jobs) ledger.settle(itemIndex, [opened]);
		return;
	}
	const { access, sendOnce } = opened;
	const { send, redactSecrets, onQueueEmpty, conventions } = access;
	log.followWindow(access.maxInflight);
	ledger.redactWith(redactSecrets);
	executionResume?.saveBegin();
	const services = {
		send,
		maxParallelPages: Math.max(1, Math.floor(maxParallel / sendable.length)),
		hint: (message: string) => ledger.hint(message),
		conventions,
	};
	const runTask = async (task: Task) => {
		const itemIndexes = task.jobs.map(({ itemIndex }) => itemIndex);
		ledger.noteBegun(itemIndexes);
		await task.run(services).then(
			(results) => itemIndexes.forEach((itemIndex, at) => ledger.settle(itemIndex, results[at]!)),
			(error: unknown) => ledger.fail(itemIndexes, error, 'unknown'),
		);
		sendOnce?.settled(itemIndexes);
	};
	const tasks = tasksOf(operation, sendOnce?.admit(jobs) ?? jobs);
	try {
		await runInParallel(maxParallel, tasks, stop, runTask, onQueueEmpty);
	} finally {
		await sendOnce?.close();
	}
}

/**
 * Runs the chosen operation of a node for all input items. Under "Continue" it never throws, since n8n would then
 * pass the input items on as if they were results.
 * @param area the node's table
 * @param continueOnFail whether failed items become error items (n8n's setting "On Error")
 * @returns output items in the order of the input, each with its pairedItem
 * @throws NodeOperationError or NodeApiError that names the item, unless continueOnFail
 */
export async function run(
	ctx: IExecuteFunctions,
	area: Area,
	continueOnFail: boolean,
): Promise<INodeExecutionData[]> {
	const ledger = new Ledger(ctx, continueOnFail);
	if (ledger.itemIndexes.length === 0) return [];
	let operation: Operation;
	try {
		operation = chosenOperation(ctx, area);
	} catch (error) {
		const failure = toFailure(error);
		ledger.refuseInvalid(new Map(ledger.itemIndexes.map((itemIndex) => [itemIndex, failure])));
		return ledger.output;
	}
	const statistics = new RunStatistics();
	const log = new RunLog(ctx, operation, ledger, statistics);
	let executionResume: ExecutionResume | undefined;
	const send = async () => {
		if (isWriting(operation)) executionResume = await ExecutionResume.open(ctx, operation, ledger);
		const jobs = readItems(ctx, operation, ledger);
		await sendAll(ctx, operation, jobs, ledger, executionResume, statistics, log);
	};
	let output: INodeExecutionData[] | undefined;
	log.begin();
	try {
		await send().finally(() => log.end());
		output = ledger.finish(operation);
	} finally {
		if (!output) executionResume?.saveEnd();
	}
	return output;
}
