// The way of every node through the house: form → values → request → send → answer → items.
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
import { SendOnce } from './once/sendOnce';
import { ExecutionResume } from './once/executionResume';
import { openServiceAccess } from './send/serviceAccess';

async function* chain<Value>(first: Value, others: AsyncIterable<Value>): AsyncGenerator<Value> {
	yield first;
	yield* others;
}

const toFailure = (error: unknown): Failure => asFailure(error, 'notSent');

/** Sends the jobs in parallel; whatever happens, what becomes of each is entered in the ledger. */
async function sendAll(
	ctx: IExecuteFunctions,
	operation: Operation,
	sound: AsyncGenerator<Job, void>,
	ledger: Ledger,
	executionResume: ExecutionResume | undefined,
): Promise<void> {
	const { sendable, stop } = ledger;
	const { done, value: first } = await sound.next();
	if (done) return;
	const { settings } = first.values;
	const jobs = chain(first, sound);
	const maxParallel = maxParallelOf(operation, settings);
	const begin = async () => {
		const access = await openServiceAccess(ctx, operation, maxParallel, stop);
		if (settings.sendOnceKey === undefined) return { access };
		const { baseUrl } = access.user;
		const isKnown = executionResume?.knowsEarlierSends ?? true;
		return {
			access,
			sendOnce: await SendOnce.open(ctx, operation, baseUrl, settings, ledger, isKnown),
		};
	};
	const obstacle = ledger.obstacle ?? executionResume?.obstacle(settings);
	const begun = obstacle ?? (await begin().catch(toFailure));
	if (begun instanceof Failure) {
		for await (const { itemIndex } of jobs) ledger.settle(itemIndex, [begun]);
		return;
	}
	const { access, sendOnce } = begun;
	const { send, redactSecrets, onQueueEmpty } = access;
	ledger.redactWith(redactSecrets);
	executionResume?.saveBegin();
	const service = {
		send,
		pagesAhead: Math.max(1, Math.floor(maxParallel / sendable.length)),
		hint: (message: string) => ledger.hint(message),
	};
	const work = async (task: Task) => {
		const indexes = task.jobs.map(({ itemIndex }) => itemIndex);
		await task.run(service).then(
			(results) => indexes.forEach((itemIndex, at) => ledger.settle(itemIndex, results[at]!)),
			(error: unknown) => ledger.fail(indexes, error, 'unknown'),
		);
		sendOnce?.noteSettled(indexes);
	};
	const tasks = tasksOf(operation, sendOnce?.noteAndAdmit(jobs) ?? jobs);
	try {
		await runInParallel(maxParallel, tasks, stop, work, onQueueEmpty);
	} finally {
		await sendOnce?.close();
	}
}

/**
 * Runs the chosen operation of a node for all input items. Under "Continue" it never throws: n8n would then
 * hand the input items on as if they were results.
 * @param area the node's table
 * @param continueOnFail whether failed items become error items (n8n's setting "On Error")
 * @returns output items in input order, each with pairedItem
 * @throws NodeOperationError or NodeApiError naming the item, unless continueOnFail
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
	const executionResume = isWriting(operation)
		? await ExecutionResume.open(ctx, operation, ledger)
		: undefined;
	let output: INodeExecutionData[] | undefined;
	try {
		await sendAll(ctx, operation, readItems(ctx, operation, ledger), ledger, executionResume);
		output = ledger.finish(operation);
	} finally {
		if (!output) executionResume?.end();
	}
	return output;
}
