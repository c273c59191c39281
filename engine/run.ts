// Items in → items out: reads and checks all items, sends what is sound, and links every output to its input.
import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Area, BulkOperation, Operation } from './area';
import { asFailure, errorItem, invalid, toNodeError } from './items/errors';
import { Failure } from './failure';
import { CongestionWindow } from './send/window';
import { openService } from './send/service';
import { ended, withTries } from './send/tries';
import { batches, bulk } from './kinds/bulk';
import { empty } from './kinds/empty';
import { item } from './kinds/item';
import type { Job, Service } from './kinds/job';
import { list } from './kinds/list';
import { checkFile, upload } from './kinds/upload';
import { layout, type Layout } from './form/layout';
import { reportOf } from './items/report';
import { isFailure, isOpen, resultsOfRun, type Result, type Results } from './items/results';
import { Constants, readItem } from './values/values';
import { inWindow } from './send/lanes';

/** Milliseconds of reading items (mostly: evaluating expressions) before others in this n8n get their turn. */
const longestSlice = 50;

/** n8n adds "Custom API Call" to the dropdowns of every node that has a credential. */
const customApiCall = '__CUSTOM_API_CALL__';

function chosenOperation(ctx: IExecuteFunctions, area: Area): Operation {
	const resourceName = ctx.getNodeParameter('resource', 0);
	const operationName = ctx.getNodeParameter('operation', 0, '');
	if (resourceName === customApiCall || operationName === customApiCall) {
		throw new Failure('A custom API call is not made by this node', 'notSent', {
			advice:
				"Use the HTTP Request node with the predefined credential type 'Agency Records API', or choose an operation of this node.",
		});
	}
	const operation = area.resources
		.find(({ name }) => name === resourceName)
		?.operations.find(({ name }) => name === operationName);
	if (operation) return operation;
	throw new Failure(
		`This node has no operation "${operationName}" for the resource "${resourceName}"`,
		'notSent',
		{ advice: "Choose 'Resource' and 'Operation' from their lists." },
	);
}

function sendOne(
	service: Service,
	operation: Exclude<Operation, BulkOperation>,
	job: Job,
): Promise<IDataObject[]> {
	switch (operation.kind) {
		case 'item':
			return item(service, operation, job);
		case 'list':
			return list(service, operation, job);
		case 'upload':
			return upload(service, operation, job);
		case 'empty':
			return empty(service, operation, job);
	}
}

/**
 * One run of a node. When the run continues on errors it never throws: n8n would then hand the input items
 * on as if they were results.
 */
class Run {
	private readonly results: Results;

	/** Under "Stop" the first failure ends the run. */
	private readonly halt = new AbortController();

	/** No request starts after it. */
	private readonly stop: AbortSignal;

	private readonly hints = new Set<string>();

	private readonly zone: string;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly continueOnFail: boolean,
	) {
		this.results = resultsOfRun(ctx);
		this.zone = ctx.getTimezone();
		const cancelled = ctx.getExecutionCancelSignal();
		this.stop = AbortSignal.any([this.halt.signal, ...(cancelled ? [cancelled] : [])]);
	}

	private settle(itemIndex: number, results: readonly Result[]): void {
		this.results[itemIndex] = results;
		if (!this.continueOnFail && results.some(isFailure)) this.halt.abort();
	}

	private read(operation: Operation, form: Layout, constants: Constants, itemIndex: number): Job {
		const { ctx } = this;
		const parameter = (name: string) => ctx.getNodeParameter(name, itemIndex, null) as unknown;
		const json = ctx.getInputData()[itemIndex]!.json;
		const { values, problems } = readItem(form, {
			parameter,
			json,
			zone: this.zone,
			constants,
		});
		const job = { itemIndex, values };
		if (operation.kind === 'upload' && problems.length === 0) problems.push(...checkFile(ctx, job));
		if (problems.length > 0) throw invalid(problems);
		return job;
	}

	/** Under "Stop" a problem found before anything was sent is thrown at once. */
	private failBefore(error: unknown, itemIndex: number): void {
		const failure = asFailure(error, 'notSent');
		if (!this.continueOnFail) throw toNodeError(this.ctx.getNode(), failure, itemIndex);
		this.settle(itemIndex, [failure]);
	}

	private operationOf(area: Area): Operation | undefined {
		try {
			return chosenOperation(this.ctx, area);
		} catch (error) {
			for (const itemIndex of this.results.keys()) this.failBefore(error, itemIndex);
			return undefined;
		}
	}

	/** All items are read before any is sent, so that under "Stop" one bad item stops the run untouched. */
	private async readAll(operation: Operation): Promise<Job[]> {
		const form = layout(operation);
		const constants = new Constants(this.ctx.getNode().parameters as IDataObject);
		const jobs: Job[] = [];
		let since = Date.now();
		for (const [itemIndex, known] of this.results.entries()) {
			if (!isOpen(known)) continue;
			if (Date.now() - since > longestSlice) {
				await sleep(0);
				since = Date.now();
			}
			try {
				jobs.push(this.read(operation, form, constants, itemIndex));
			} catch (error) {
				this.failBefore(error, itemIndex);
			}
		}
		return jobs;
	}

	private async sendEach(
		service: Service,
		width: number,
		jobs: Job[],
		operation: Exclude<Operation, BulkOperation>,
	): Promise<void> {
		await inWindow(width, jobs, this.stop, async (job) => {
			const results: readonly Result[] = await sendOne(service, operation, job).catch(
				(error: unknown) => [asFailure(error, 'unknown')],
			);
			this.settle(job.itemIndex, results);
		});
	}

	private async sendBatches(
		service: Service,
		width: number,
		jobs: Job[],
		operation: BulkOperation,
	): Promise<void> {
		await inWindow(width, batches(jobs), this.stop, async (batch) => {
			const results = await bulk(service, operation, batch).catch((error: unknown) =>
				batch.map(() => [asFailure(error, 'unknown')]),
			);
			batch.forEach(({ itemIndex }, index) => this.settle(itemIndex, results[index]!));
		});
	}

	private async send(jobs: Job[], operation: Operation): Promise<void> {
		const { ctx, stop } = this;
		const width = Number(jobs[0]?.values.settings.parallelRequests);
		const hint = (message: string) => void this.hints.add(message);
		const service = await openService(ctx).then(
			(sendOnce): Service => ({
				ctx,
				send: withTries(sendOnce, new CongestionWindow(width), stop),
				hint,
				pagesAhead: Math.max(1, Math.floor(width / jobs.length)),
			}),
			(error: unknown) => {
				for (const { itemIndex } of jobs) this.settle(itemIndex, [asFailure(error, 'notSent')]);
			},
		);
		if (!service) return;
		if (operation.kind === 'bulk') await this.sendBatches(service, width, jobs, operation);
		else await this.sendEach(service, width, jobs, operation);
	}

	/** @throws under "Stop", the failure of the first item that failed, with what became of the others */
	private throwFirstFailure(operation: Operation): void {
		for (const [itemIndex, results = []] of this.results.entries()) {
			const failure = results.find(isFailure);
			if (failure) {
				const report = reportOf(operation, this.results);
				throw toNodeError(this.ctx.getNode(), failure, itemIndex, report);
			}
		}
	}

	/** An item that the end of the run has overtaken was not sent. */
	private outputOf(itemIndex: number): INodeExecutionData[] {
		const results = this.results[itemIndex] ?? [ended()];
		return results.map((result) =>
			isFailure(result)
				? errorItem(result, itemIndex)
				: { json: result, pairedItem: { item: itemIndex } },
		);
	}

	/** Sends the items and waits for their results. */
	private async process(area: Area): Promise<void> {
		const operation = this.operationOf(area);
		if (!operation) return;
		const jobs = await this.readAll(operation);
		if (jobs.length > 0) await this.send(jobs, operation);
		for (const message of this.hints)
			this.ctx.addExecutionHints({ message, location: 'outputPane' });
		if (!this.continueOnFail) this.throwFirstFailure(operation);
	}

	async outputItems(area: Area): Promise<INodeExecutionData[]> {
		if (this.results.length > 0) await this.process(area);
		return [...this.results.keys()].flatMap((itemIndex) => this.outputOf(itemIndex));
	}
}

/**
 * Runs the chosen operation of a node for all input items.
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
	return await new Run(ctx, continueOnFail).outputItems(area);
}
