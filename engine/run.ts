// Runs an operation of a node, in the steps that all nodes share: form → values → request → send → answer → items.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isWriting, type Area, type Operation } from './area';
import { Failure } from './failure';
import { chosenOperation } from './form/form';
import type { Settings } from './form/settings';
import { asFailure, toNodeError } from './items/errors';
import { Ledger } from './items/ledger';
import { readItems } from './kinds/readItems';
import { maxParallelOf, sendTask, tasksOf, type Task } from './kinds/tasks';
import { RunLog } from './log';
import { ExecutionResume } from './once/executionResume';
import { SendOnce } from './once/sendOnce';
import { runInParallel } from './send/parallel';
import { RunStatistics } from './send/runStatistics';
import type { Send } from './send/sendTypes';
import { openServiceAccess } from './send/serviceAccess';

async function* startingWith<Value>(
	first: Value,
	others: AsyncIterable<Value>,
): AsyncGenerator<Value> {
	yield first;
	yield* others;
}

const toFailure = (error: unknown): Failure => asFailure(error, 'notSent');

/** What all steps of a run share. */
interface Run {
	ctx: IExecuteFunctions;
	operation: Operation;
	ledger: Ledger;
	statistics: RunStatistics;
	/** Undefined for an operation that only reads. */
	executionResume?: ExecutionResume;
}

/**
 * Opens what the run sends through.
 * @param settings of the first item
 * @throws why nothing can be sent
 */
async function openForSending(
	{ ctx, operation, ledger, statistics, executionResume }: Run,
	settings: Settings,
) {
	const obstacle = ledger.obstacle ?? executionResume?.obstacle(settings);
	if (obstacle) throw obstacle;
	const maxParallel = maxParallelOf(operation, settings);
	const access = await openServiceAccess(ctx, operation, maxParallel, ledger.stop, statistics);
	if (settings.sendOnceKey === undefined) return { access, maxParallel };
	const { baseUrl } = access.user;
	const knowsEarlierSends = executionResume?.knowsEarlierSends ?? true;
	const keyedRun = { operation, ledger, settings, baseUrl, knowsEarlierSends };
	return { access, maxParallel, sendOnce: await SendOnce.open(ctx, keyedRun) };
}

/** Sends all items in parallel. Whatever happens, what becomes of each of them is entered in the ledger. */
async function sendAll(run: Run): Promise<void> {
	const { ctx, operation, ledger } = run;
	const validJobs = readItems(ctx, operation, ledger);
	const { done, value: firstJob } = await validJobs.next();
	if (done) return;
	const jobs = startingWith(firstJob, validJobs);
	const opened = await openForSending(run, firstJob.values.settings).catch(toFailure);
	if (opened instanceof Failure) {
		for await (const { itemIndex } of jobs) ledger.settle(itemIndex, [opened]);
		return;
	}
	const { access, maxParallel, sendOnce } = opened;
	const { send, redactSecrets, onQueueEmpty, conventions } = access;
	ledger.redactWith(redactSecrets);
	run.executionResume?.saveBegin();
	const services = {
		send,
		maxParallelPages: Math.max(1, Math.floor(maxParallel / ledger.sendable.length)),
		hint: (message: string) => ledger.hint(message),
		conventions,
	};
	const runTask = async (task: Task) => {
		const itemIndexes = task.map(({ itemIndex }) => itemIndex);
		ledger.noteBegun(itemIndexes);
		const beforeSending = sendOnce && (() => sendOnce.assertHeld(itemIndexes));
		const sendHeld: Send = (request, stop) => send({ ...request, beforeSending }, stop);
		await sendTask(sendOnce ? { ...services, send: sendHeld } : services, operation, task).then(
			(results) => itemIndexes.forEach((itemIndex, at) => ledger.settle(itemIndex, results[at]!)),
			(error: unknown) => ledger.fail(itemIndexes, error, 'unknown'),
		);
		sendOnce?.settled(itemIndexes);
	};
	const tasks = tasksOf(operation, sendOnce?.admit(jobs) ?? jobs);
	try {
		await runInParallel(maxParallel, tasks, ledger.stop, runTask, onQueueEmpty);
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
		if (!continueOnFail) throw toNodeError(ctx.getNode(), toFailure(error));
		ledger.fail(ledger.itemIndexes, error, 'notSent');
		return ledger.output;
	}
	const statistics = new RunStatistics();
	const log = new RunLog(ctx, operation, ledger, statistics);
	const thisRun: Run = { ctx, operation, ledger, statistics };
	let output: INodeExecutionData[] | undefined;
	try {
		try {
			if (isWriting(operation))
				thisRun.executionResume = await ExecutionResume.open(ctx, operation, ledger);
			await sendAll(thisRun);
		} finally {
			log.end();
		}
		output = ledger.finish(operation);
	} finally {
		if (!output) thisRun.executionResume?.saveEnd();
	}
	return output;
}
