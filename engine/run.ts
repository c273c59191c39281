// Items in → items out: reads and checks all items, sends what is sound, and links every output to its input.
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Area, BulkOperation, Operation } from './area';
import { asFailure, errorItem, invalid, toNodeError } from './errors';
import { Failure, type Outcome } from './failure';
import { openService } from './http/send';
import { batches, bulk } from './kinds/bulk';
import { empty } from './kinds/empty';
import { item } from './kinds/item';
import type { Job, Service } from './kinds/job';
import { list } from './kinds/list';
import { checkFile, upload } from './kinds/upload';
import { layout, type Layout } from './layout';
import { readItem } from './values';
import { inWindow } from './window';

/** n8n adds "Custom API Call" to the dropdowns of every node that has a credential. */
const customApiCall = '__CUSTOM_API_CALL__';

function chosenOperation(ctx: IExecuteFunctions, area: Area): Operation {
	const resourceName = ctx.getNodeParameter('resource', 0);
	const operationName = ctx.getNodeParameter('operation', 0, '');
	if (resourceName === customApiCall || operationName === customApiCall) {
		throw new Failure('A custom API call is not made by this node', 'notSent', {
			description:
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
		{ description: "Choose 'Resource' and 'Operation' from their lists." },
	);
}

/** Output items by input item. */
type Outputs = INodeExecutionData[][];

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
	private readonly outputs: Outputs;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly continueOnFail: boolean,
	) {
		this.outputs = ctx.getInputData().map(() => []);
	}

	/**
	 * Under "Stop" throws; else the input item gets an error item.
	 * @param otherwise what became of the item when the error does not say so
	 */
	private fail(error: unknown, itemIndex: number, otherwise: Outcome): void {
		const failure = asFailure(error, otherwise);
		if (!this.continueOnFail) throw toNodeError(this.ctx.getNode(), failure, itemIndex);
		this.outputs[itemIndex]!.push(errorItem(failure, itemIndex));
	}

	private emit(json: IDataObject, itemIndex: number): void {
		this.outputs[itemIndex]!.push({ json, pairedItem: { item: itemIndex } });
	}

	private read(operation: Operation, form: Layout, itemIndex: number): Job {
		const { ctx } = this;
		const parameter = (name: string) => ctx.getNodeParameter(name, itemIndex, null) as unknown;
		const json = ctx.getInputData()[itemIndex]!.json;
		const { values, problems } = readItem(form, { parameter, json, zone: ctx.getTimezone() });
		const job = { itemIndex, values };
		if (operation.kind === 'upload' && problems.length === 0) problems.push(...checkFile(ctx, job));
		if (problems.length > 0) throw invalid(problems);
		return job;
	}

	/** All items are read before any is sent, so that under "Stop" one bad item stops the run untouched. */
	private readAll(area: Area): { operation?: Operation; jobs: Job[] } {
		let operation: Operation | undefined;
		let form: Layout | undefined;
		const jobs = this.outputs.flatMap((_, itemIndex) => {
			try {
				operation ??= chosenOperation(this.ctx, area);
				form ??= layout(operation);
				return [this.read(operation, form, itemIndex)];
			} catch (error) {
				this.fail(error, itemIndex, 'notSent');
				return [];
			}
		});
		return { operation, jobs };
	}

	private async sendEach(
		service: Service,
		width: number,
		jobs: Job[],
		operation: Exclude<Operation, BulkOperation>,
	): Promise<void> {
		await inWindow(width, jobs, async (job) => {
			const { itemIndex } = job;
			try {
				for (const json of await sendOne(service, operation, job)) this.emit(json, itemIndex);
			} catch (error) {
				this.fail(error, itemIndex, 'unknown');
			}
		});
	}

	private async sendBatches(
		service: Service,
		width: number,
		jobs: Job[],
		operation: BulkOperation,
	): Promise<void> {
		await inWindow(width, batches(jobs), async (batch) => {
			const results = await bulk(service, operation, batch).catch((error: unknown) =>
				batch.map(() => [asFailure(error, 'unknown')]),
			);
			batch.forEach(({ itemIndex }, index) => {
				for (const result of results[index]!) {
					if (result instanceof Failure) this.fail(result, itemIndex, 'unknown');
					else this.emit(result, itemIndex);
				}
			});
		});
	}

	private async send(jobs: Job[], operation: Operation): Promise<void> {
		const { ctx } = this;
		const width = Number(jobs[0]?.values.settings.parallelRequests);
		const service = await openService(ctx).then(
			(send): Service => ({ ctx, send }),
			(error: unknown) => {
				for (const { itemIndex } of jobs) this.fail(error, itemIndex, 'notSent');
			},
		);
		if (!service) return;
		if (operation.kind === 'bulk') await this.sendBatches(service, width, jobs, operation);
		else await this.sendEach(service, width, jobs, operation);
	}

	async outputItems(area: Area): Promise<INodeExecutionData[]> {
		const { operation, jobs } = this.readAll(area);
		if (operation && jobs.length > 0) await this.send(jobs, operation);
		return this.outputs.flat();
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
