// An execution of a workflow with one node, as n8n runs it, with a simulation of n8n's functions. test/engine uses the
// real n8n-core instead, and test/queue and test/e2e the real processes.
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWorkflowDataProxyData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type * as Run from '../../engine/run';
import type * as Requests from '../../nodes/AgencyRecordsRequest/requests';
import type * as Area from '../../nodes/AgencyShiftSchedules/shiftSchedules.area';
import { evaluated } from './expressions.cts';
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
	/** The rows, if they have more columns than their key and name. */
	rows?: readonly IDataObject[];
	/** The node's parameters as the editor has saved them, if it does not create a shift schedule for each name. */
	saved?: IDataObject;
	/** The sent value of a row, by its name; by default, the name. */
	values?: (name: string) => string;
	/** The node's options besides the key. */
	options?: IDataObject;
	withoutKey?: boolean;
	/** How it was started; by a trigger by default. */
	mode?: WorkflowExecuteMode;
	runIndex?: number;
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
		const { process } = this;
		const { run } = process.load<typeof Run>('engine/run');
		const { continueOnFail = true, saved } = this.options;
		const area =
			saved?.resource === 'request'
				? process.load<typeof Requests>('nodes/AgencyRecordsRequest/requests').requests
				: process.load<typeof Area>('nodes/AgencyShiftSchedules/shiftSchedules.area')
						.shiftSchedules;
		this.ended = await run(this.asContext(), area, continueOnFail).then(
			(output) => ({ output }),
			(error: Error) => ({ error }),
		);
		this.endedAt = this.process.world.now;
		this.savedContext = JSON.parse(JSON.stringify(this.context)) as IDataObject;
	}

	/** The outcome of each name, according to the output. */
	get outcomes(): Map<string, IDataObject> {
		const { names } = this.options;
		return new Map([...this.results].map(([item, json]) => [names[item]!, json]));
	}

	/** The outcome of each item, according to the output. */
	get results(): Map<number, IDataObject> {
		return new Map(
			(this.ended?.output ?? []).map(({ json, pairedItem }) => [
				(pairedItem as { item: number }).item,
				json,
			]),
		);
	}

	private asContext(): IExecuteFunctions {
		const { process, environment, options } = this;
		const { names, cancel, retryOf, mode = 'trigger', values = (name) => name } = options;
		const rows = options.rows ?? names.map((name) => ({ key: name, name: values(name) }));
		const sendOnceKey = '={{ $json.key }}';
		const saved = {
			resource: 'shiftSchedule',
			operation: 'create',
			specifyFields: 'form',
			...(options.saved ?? {
				fields: { ...aDay, name: '={{ $json.name }}' },
				options: { maxTries: 3, ...options.options, ...(!options.withoutKey && { sendOnceKey }) },
			}),
		};
		const name = 'Agency Shift Schedules';
		const type = 'n8n-nodes-agency-records.agencyShiftSchedules';
		const any = anyContext(process, environment, { name, type, parameters: saved }, this);
		const { world } = process;
		const store = environment.store.helpersFor(process);
		const $runIndex = options.runIndex ?? 0;
		const proxy: Partial<IWorkflowDataProxyData> = { $runIndex, $execution: {} };
		const parameter = (path: string, itemIndex: number, fallback?: unknown): unknown => {
			const $json = rows[itemIndex]!;
			const scope = { $json, $itemIndex: itemIndex, $runIndex, $execution: { id: this.id } };
			const evaluate = (value: unknown) => evaluated(value, world.wallClock, scope);
			const found = path.split('.').reduce<unknown>((value, part) => {
				const whole = typeof value === 'string' ? evaluate(value) : value;
				return (whole as IDataObject | undefined)?.[part];
			}, saved);
			return evaluate(found) ?? fallback;
		};
		const context: Simulated<IExecuteFunctions> = {
			...any,
			getInputData: () => rows.map((json) => ({ json })),
			getNodeParameter: parameter as IExecuteFunctions['getNodeParameter'],
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
