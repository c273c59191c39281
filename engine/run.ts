// The way of every node through the house: form → values → request → send → answer → items.
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Area, Operation } from './area';
import { chosenOperation } from './form/chosen';
import { asFailure } from './items/errors';
import { Ledger } from './items/ledger';
import type { Job } from './kinds/job';
import { readItems } from './kinds/read';
import { tasksOf } from './kinds/tasks';
import { inWindow } from './send/lanes';
import { openLine } from './send/line';

const indexesOf = (jobs: readonly Job[]): number[] => jobs.map(({ itemIndex }) => itemIndex);

/** Sends the jobs in parallel; whatever happens, what becomes of each is entered in the ledger. */
async function sendAll(
	ctx: IExecuteFunctions,
	operation: Operation,
	jobs: readonly Job[],
	ledger: Ledger,
): Promise<void> {
	const { obstacle } = ledger;
	if (obstacle) return ledger.fail(indexesOf(jobs), obstacle, 'notSent');
	const { parallelRequests } = jobs[0]!.values.settings;
	const line = await openLine(ctx, parallelRequests, ledger.stop).catch((error: unknown) =>
		ledger.fail(indexesOf(jobs), error, 'notSent'),
	);
	if (!line) return;
	const { send, safe } = line;
	ledger.protect(safe);
	const pagesAhead = Math.max(1, Math.floor(parallelRequests / jobs.length));
	const service = { send, pagesAhead, hint: (message: string) => ledger.hint(message) };
	await inWindow(parallelRequests, tasksOf(operation, jobs), ledger.stop, async (task) => {
		const indexes = indexesOf(task.jobs);
		await task.run(service).then(
			(results) => indexes.forEach((itemIndex, at) => ledger.settle(itemIndex, results[at]!)),
			(error: unknown) => ledger.fail(indexes, error, 'unknown'),
		);
	});
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
		const failure = asFailure(error, 'notSent');
		ledger.refuse(new Map(ledger.all.map((itemIndex) => [itemIndex, failure])));
		return ledger.output;
	}
	const jobs = await readItems(ctx, operation, ledger);
	if (jobs.length > 0) await sendAll(ctx, operation, jobs, ledger);
	return ledger.close(operation);
}
