// The way of every node through the house: form → values → request → send → answer → items.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isWriting, type Area, type Operation } from './area';
import { chosenOperation } from './form/chosen';
import { Failure } from './failure';
import { asFailure } from './items/errors';
import { Ledger } from './items/ledger';
import type { Job } from './kinds/job';
import { readItems } from './kinds/read';
import { tasksOf, widthOf, type Task } from './kinds/tasks';
import { inWindow } from './send/lanes';
import { SendOnce } from './once/once';
import { Retry } from './once/retry';
import { openWay } from './send/open';

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
	retry: Retry | undefined,
): Promise<void> {
	const { open, stop } = ledger;
	const { done, value: first } = await sound.next();
	if (done) return;
	const { settings } = first.values;
	const jobs = chain(first, sound);
	const width = widthOf(operation, settings);
	const begin = async () => {
		const way = await openWay(ctx, operation, width, stop);
		if (settings.sendOnceKey === undefined) return { way };
		const { baseUrl } = way.owner;
		const isKnown = retry?.isKnown ?? true;
		return { way, once: await SendOnce.open(ctx, operation, baseUrl, settings, ledger, isKnown) };
	};
	const obstacle = ledger.obstacle ?? retry?.obstacle(settings);
	const begun = obstacle ?? (await begin().catch(toFailure));
	if (begun instanceof Failure) {
		for await (const { itemIndex } of jobs) ledger.settle(itemIndex, [begun]);
		return;
	}
	const { way, once } = begun;
	const { send, safe, served } = way;
	ledger.protect(safe);
	retry?.begin();
	const service = {
		send,
		pagesAhead: Math.max(1, Math.floor(width / open.length)),
		hint: (message: string) => ledger.hint(message),
	};
	const work = async (task: Task) => {
		const indexes = task.jobs.map(({ itemIndex }) => itemIndex);
		await task.run(service).then(
			(results) => indexes.forEach((itemIndex, at) => ledger.settle(itemIndex, results[at]!)),
			(error: unknown) => ledger.fail(indexes, error, 'unknown'),
		);
		once?.settled(indexes);
	};
	const tasks = tasksOf(operation, once?.begin(jobs) ?? jobs);
	try {
		await inWindow(width, tasks, stop, work, served);
	} finally {
		await once?.close();
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
	if (ledger.all.length === 0) return [];
	let operation: Operation;
	try {
		operation = chosenOperation(ctx, area);
	} catch (error) {
		const failure = toFailure(error);
		ledger.refuse(new Map(ledger.all.map((itemIndex) => [itemIndex, failure])));
		return ledger.output;
	}
	const retry = isWriting(operation) ? await Retry.open(ctx, operation, ledger) : undefined;
	let output: INodeExecutionData[] | undefined;
	try {
		await sendAll(ctx, operation, readItems(ctx, operation, ledger), ledger, retry);
		output = ledger.close(operation);
	} finally {
		if (!output) retry?.end();
	}
	return output;
}
