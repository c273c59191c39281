// An execution of a workflow with one node, as n8n runs it, with a simulation of n8n's functions. test/engine uses the
// real n8n-core instead, and test/queue and test/e2e the real processes.
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWorkflowDataProxyData,
} from 'n8n-workflow';

import type * as Run from '../../engine/run';
import type * as Area from '../../nodes/AgencyShiftSchedules/shiftSchedules.area';
import type { N8nProcess } from './n8nProcess.cts';
import { anyContext, type Account, type Simulated } from './requestHelper.cts';
import type { SimulatedStore } from './store.cts';
import { aDay } from '../harness/aDay.mts';

/** The state that all executions share. */
export interface Environment extends Account {
	store: SimulatedStore;
}

export interface ExecutionOptions {
	/** The names of the rows, which are their keys too. */
	names: readonly string[];
	/** The sent value of a row, by its name; by default, the name. */
	values?: (name: string) => string;
	/** Whether the expression of the keys was changed. */
	hasOtherKeys?: boolean;
	/** The node's options besides the key. */
	options?: IDataObject;
	withoutKey?: boolean;
	/** Whether a person starts it in the editor. */
	isInEditor?: boolean;
	continueOnFail?: boolean;
	/** Presses Stop. */
	cancel?: AbortSignal;
	/** The execution that this one retries. */
	retryOf?: Execution;
}

let executions = 0;

export class Execution {
	/** The output, or the reason why there is none; undefined while it runs, or if its process died. */
	ended?: { output?: INodeExecutionData[]; error?: Error };

	/** By the world's clock: when it started, first asked the store for keys, and ended. */
	readonly beganAt: number;
	lookedAt = Infinity;
	endedAt = Infinity;

	/** The node's data that n8n saves with a finished execution. */
	savedContext: IDataObject;

	private readonly context: IDataObject;

	private readonly id = String(++executions);

	constructor(
		readonly process: N8nProcess,
		private readonly environment: Environment,
		readonly options: ExecutionOptions,
	) {
		this.beganAt = process.world.now;
		this.savedContext = options.retryOf?.savedContext ?? {};
		this.context = JSON.parse(JSON.stringify(this.savedContext)) as IDataObject;
	}

	/** Runs the node; resolves when it has finished, and never in a process that dies. */
	async run(): Promise<void> {
		const { run } = this.process.load<typeof Run>('engine/run');
		const { shiftSchedules } = this.process.load<typeof Area>(
			'nodes/AgencyShiftSchedules/shiftSchedules.area',
		);
		const { continueOnFail = true } = this.options;
		this.ended = await run(this.asContext(), shiftSchedules, continueOnFail).then(
			(output) => ({ output }),
			(error: Error) => ({ error }),
		);
		this.endedAt = this.process.world.now;
		this.savedContext = JSON.parse(JSON.stringify(this.context)) as IDataObject;
	}

	/** The outcome of each name, according to the output. */
	get outcomes(): Map<string, IDataObject> {
		const { names } = this.options;
		return new Map(
			(this.ended?.output ?? []).map(({ json, pairedItem }) => [
				names[(pairedItem as { item: number }).item]!,
				json,
			]),
		);
	}

	private asContext(): IExecuteFunctions {
		const { process, environment, options } = this;
		const { names, cancel, withoutKey, retryOf, hasOtherKeys, values = (name) => name } = options;
		const mode = options.isInEditor ? 'manual' : 'trigger';
		const keyPrefix = hasOtherKeys ? 'other ' : '';
		const any = anyContext(
			process,
			environment,
			{
				name: 'Agency Shift Schedules',
				type: 'n8n-nodes-agency-records.agencyShiftSchedules',
				// As the editor has saved them.
				parameters: {
					fields: { ...aDay, name: '={{ $json.name }}' },
					options: {
						...options.options,
						...(!withoutKey && { sendOnceKey: `=${keyPrefix}{{ $json.name }}` }),
					},
				},
			},
			this,
		);
		const parameters = (itemIndex: number): IDataObject => ({
			resource: 'shiftSchedule',
			operation: 'create',
			specifyFields: 'form',
			fields: { ...aDay, name: values(names[itemIndex]!) },
			options: {
				maxTries: 3,
				...options.options,
				...(!withoutKey && { sendOnceKey: `${keyPrefix}${names[itemIndex]}` }),
			},
		});
		const { world } = process;
		const store = environment.store.helpersFor(process);
		const proxy: Partial<IWorkflowDataProxyData> = { $runIndex: 0, $execution: {} };
		const context: Simulated<IExecuteFunctions> = {
			...any,
			getInputData: () => names.map((name) => ({ json: { name } })),
			getNodeParameter: ((name: string, itemIndex: number, fallback?: unknown) =>
				parameters(itemIndex)[name] ?? fallback) as IExecuteFunctions['getNodeParameter'],
			getExecutionId: () => this.id,
			getMode: () => (retryOf ? 'retry' : mode),
			getExecuteData: () => ({ node: any.getNode(), data: {}, source: null }),
			getContext: () => this.context,
			getWorkflowDataProxy: () => proxy as IWorkflowDataProxyData,
			getExecutionCancelSignal: () => cancel,
			getParentNodes: () => [],
			getChildNodes: () => [],
			addExecutionHints: () => {},
			helpers: {
				...any.helpers,
				...store,
				checkProcessedAndRecord: ((items, scope, ...more) => {
					if (scope === 'node') this.lookedAt = Math.min(this.lookedAt, world.now);
					return store.checkProcessedAndRecord(items, scope, ...more);
				}) as typeof store.checkProcessedAndRecord,
			},
		};
		return context as IExecuteFunctions;
	}
}
