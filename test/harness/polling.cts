// A trigger that a test polls, with its executions, its failed polls and n8n's restarts.
import type { IDataObject, INode, INodeParameters, INodeType, IPollFunctions } from 'n8n-workflow';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import type * as Credential from '../../credentials/AgencyRecordsApi.credentials';
import { AgencyRecordsTrigger } from '../../nodes/AgencyRecordsTrigger/AgencyRecordsTrigger.node';
import type * as TriggerNode from '../../nodes/AgencyRecordsTrigger/AgencyRecordsTrigger.node';
import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import {
	activate,
	fetchTestEvent,
	type Activation,
	type ActiveTrigger,
	type PollingTrigger,
	type Server,
} from '../../n8n-in-process/polling.mts';
import type { RunEnvironment } from '../../n8n-in-process/workflow.mts';

const type = 'n8n-nodes-agency-records.agencyRecordsTrigger';

/** The node and its credential, as a process of n8n has loaded them. */
type Process = Pick<RunEnvironment, 'nodeTypes' | 'credentialTypes'>;

const processOf = (
	Trigger: typeof AgencyRecordsTrigger,
	Credentials: typeof AgencyRecordsApi,
): Process => ({ nodeTypes: { [type]: new Trigger() }, credentialTypes: [new Credentials()] });

function anotherProcess(): Process {
	let process!: Process;
	jest.isolateModules(() => {
		process = processOf(
			jest.requireActual<typeof TriggerNode>(
				'../../nodes/AgencyRecordsTrigger/AgencyRecordsTrigger.node',
			).AgencyRecordsTrigger,
			jest.requireActual<typeof Credential>('../../credentials/AgencyRecordsApi.credentials')
				.AgencyRecordsApi,
		);
	});
	return process;
}

export class Trigger {
	/** Items of each execution. */
	executions: IDataObject[][] = [];

	errors: Array<Error & { description?: string }> = [];

	/** The static data that n8n has saved. */
	saved: IDataObject = {};

	/** The choice under 'On Error', made before the trigger is activated. */
	onError?: INode['onError'];

	/** Its name and ID, from its next activation on. */
	node?: PollingTrigger['node'];

	private active?: ActiveTrigger;

	private parts: RunEnvironment;

	constructor(
		private parameters: INodeParameters,
		credentials: CredentialStore,
	) {
		this.parts = { ...processOf(AgencyRecordsTrigger, AgencyRecordsApi), credentials };
	}

	private get file(): PollingTrigger {
		return {
			type,
			// By default, tests are about all kinds of changes.
			parameters: { triggerOn: ['added', 'changed', 'removed'], ...this.parameters },
			onError: this.onError,
			node: this.node,
			staticData: this.saved,
		};
	}

	private readonly server: Server = {
		onItems: (items) => {
			this.executions.push(items.map(({ json }) => json));
		},
		onStaticData: (data) => {
			this.saved = data;
		},
		onError: (error) => void this.errors.push(error),
	};

	/** n8n ends a poll that takes longer. */
	set budget(milliseconds: number) {
		const { poll } = Object.getPrototypeOf(this.parts.nodeTypes[type]) as Required<INodeType>;
		this.parts.nodeTypes[type]!.poll = function (this: IPollFunctions) {
			const bounded = Object.create(this, {
				getPollBudgetMs: { value: () => milliseconds },
			}) as IPollFunctions;
			return poll.call(bounded);
		};
	}

	/** @param parameters when a person has changed them */
	async activate(parameters = this.parameters, activation?: Activation): Promise<this> {
		this.parameters = parameters;
		this.active = await activate(this.file, this.parts, this.server, activation);
		return this;
	}

	/** @returns the resulting items */
	async poll(): Promise<IDataObject[]> {
		const { length } = this.executions;
		await this.active!.poll();
		return this.executions.slice(length).flat();
	}

	/** Moves it to another process of n8n, which remembers nothing. @returns the resulting items */
	async restart(): Promise<IDataObject[]> {
		const { length } = this.executions;
		this.parts = { ...this.parts, ...anotherProcess() };
		await this.activate(this.parameters, 'init');
		return this.executions.slice(length).flat();
	}

	async test(): Promise<IDataObject[]> {
		return (await fetchTestEvent(this.file, this.parts)).map(({ json }) => json);
	}

	/** The engine's current data. */
	get staticData(): IDataObject {
		return this.active!.staticData;
	}
}
