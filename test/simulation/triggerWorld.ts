// Worlds in which the trigger watches vendors that are edited all the time: polls fail midway, n8n dies between what a poll
// gives, what of it is saved and the execution that it starts, and clocks are set.
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type * as Poll from '../../engine/poll/poll';
import type * as WatchedLists from '../../nodes/AgencyRecordsTrigger/watchedLists';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { N8nProcess } from './n8nProcess';
import { requestHelper } from './requestHelper';
import { serviceFaults, usualAccount, type ServiceFault } from './service';
import { Vendors, type Edit } from './vendors';
import { World } from './world';

export interface TriggerPlan {
	seed: number;
	detectBy: 'fullComparison' | 'changesSince';
	pageSize: number;
	/** How many vendors there are at first. */
	vendors: number;
	/** Milliseconds. */
	answersWithin: number;
	edits: Array<{ at: number; edit: Edit; which: number }>;
	serviceFaults: Array<[request: number, ServiceFault]>;
	/** The steps of n8n's processes, one after the other, at which they die. */
	deaths: number[];
	/** Milliseconds by which n8n's clock is set, and when. */
	clock: { at: number; by: number };
}

const upTo = (max: number): fc.Arbitrary<number> => fc.nat({ max });

/** Milliseconds: between two polls, and until nothing is edited any more. */
const [pollInterval, evening] = [60_000, 600_000];

export const triggerPlans: fc.Arbitrary<TriggerPlan> = fc.record({
	seed: fc.integer(),
	detectBy: fc.constantFrom('fullComparison', 'changesSince'),
	pageSize: fc.constantFrom(2, 3, 100),
	vendors: upTo(8),
	answersWithin: fc.constantFrom(20, 2000, 25_000),
	edits: fc.array(
		fc.record({
			// Also while the pages of a poll are read.
			at: fc.oneof(
				upTo(evening),
				fc.tuple(upTo(9), upTo(40_000)).map(([polls, later]) => polls * pollInterval + later),
			),
			edit: fc.constantFrom<Edit>('add', 'change', 'remove', 'replace'),
			which: fc.double({ min: 0, max: 0.999, noNaN: true }),
		}),
		{ maxLength: 12 },
	),
	serviceFaults: fc.array(fc.tuple(upTo(40), fc.constantFrom(...serviceFaults)), { maxLength: 4 }),
	deaths: fc.array(upTo(60), { maxLength: 3 }),
	// The overlap of ten minutes is for that.
	clock: fc.record({ at: upTo(evening), by: fc.constantFrom(0, 0, -300_000, 300_000) }),
});

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveTrigger(plan: TriggerPlan): Promise<void> {
	const world = new World(plan.seed);
	const faults = new Map(plan.serviceFaults);
	const service = new Vendors(world, {
		...usualAccount,
		...plan,
		retryAfter: 1,
		tokens: 3,
		faults,
	});
	const credential = {
		...sandboxCredential('https://service.example', { grantType: 'password' }),
		setConventions: true,
		pageSize: plan.pageSize,
	};
	const parameters: IDataObject = {
		resource: 'vendor',
		detectBy: plan.detectBy,
		triggerOn: ['added', 'changed', 'removed'],
		overlap: 10,
		startFrom: 'everything',
		options: { maxTries: 2 },
	};
	const node = {
		id: 'node',
		name: 'Trigger',
		type: 'trigger',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const silent = () => {};

	/** As n8n's database has it. */
	let savedStaticData: IDataObject = {};
	/** What executions were given, in order. */
	const given: Array<{ process: N8nProcess; item: IDataObject }> = [];
	/** IDs that an execution was given by a process which has died before it saved that. */
	const forgotten = new Set<unknown>();

	const contextIn = (process: N8nProcess, staticData: IDataObject) => {
		const context = {
			getNode: () => node,
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getTimezone: () => 'America/New_York',
			getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
			getMode: () => 'trigger',
			getWorkflowStaticData: () => staticData,
			getCredentials: async () => {
				await world.pause(1, process);
				return { ...credential };
			},
			logger: { debug: silent, info: silent, warn: silent, error: silent },
			helpers: {
				httpRequestWithAuthentication: requestHelper(process, { service, credential }, {}),
			},
		};
		return context as unknown as IPollFunctions;
	};

	/** n8n saves what the trigger remembers, and starts an execution, side by side. */
	const emit = async (
		process: N8nProcess,
		items: INodeExecutionData[],
		staticData: IDataObject,
	) => {
		const copy = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		const ids = items.map(({ json }) => json.departmentBusinessID);
		for (const id of ids) forgotten.add(id);
		const save = world.pause(world.between(1, 50), process).then(() => {
			savedStaticData = copy;
			for (const id of ids) forgotten.delete(id);
		});
		const start = world
			.pause(world.between(1, 50), process)
			.then(() => void given.push(...items.map(({ json: item }) => ({ process, item }))));
		await Promise.all([save, start]);
	};

	let isEvening = false;
	/** Lives until the process dies, or the evening. */
	const liveProcess = async (process: N8nProcess): Promise<void> => {
		const { poll } = process.load<typeof Poll>('engine/poll/poll');
		const { watchedLists } = process.load<typeof WatchedLists>(
			'nodes/AgencyRecordsTrigger/watchedLists',
		);
		const staticData = JSON.parse(JSON.stringify(savedStaticData)) as IDataObject;
		const context = contextIn(process, staticData);
		const pollOnce = async () => {
			const output = await poll(context, watchedLists).catch(() => null);
			if (output) await emit(process, output[0]!, staticData);
		};
		while (!isEvening) {
			void pollOnce();
			await world.pause(pollInterval, process);
		}
	};

	const liveDay = async (): Promise<N8nProcess> => {
		const deaths = [...plan.deaths];
		for (;;) {
			const process = new N8nProcess(world, `n8n ${plan.deaths.length - deaths.length}`);
			const step = deaths.shift();
			if (step !== undefined) process.troubles.set(step, () => process.die());
			world.after(
				Math.max(0, plan.clock.at - world.now),
				() => (process.clockStep = plan.clock.by),
			);
			await Promise.race([liveProcess(process), process.death]);
			if (!process.isDead) return process;
			await world.pause(5000);
		}
	};

	for (let count = 0; count < plan.vendors; count++) service.edit('add', 0);
	for (const { at, edit, which } of plan.edits) world.after(at, () => service.edit(edit, which));
	world.after(evening, () => faults.clear());
	// Then there are some quiet polls more.
	world.after(evening + 8 * pollInterval, () => (isEvening = true));
	await world.until(liveDay());

	const followed = new Map<number, string>();
	const toldBy = new Map<string, N8nProcess>();
	for (const { process, item } of given) {
		const {
			departmentBusinessID: id,
			name,
			changeType,
			repeated,
		} = item as unknown as {
			departmentBusinessID: number;
			name: string;
			changeType: string;
			repeated?: boolean;
		};
		const change = `${changeType} ${id} ${name}`;
		world.demand(toldBy.get(change) !== process || repeated === true, `told once: ${change}`);
		toldBy.set(change, process);
		// No ID comes back.
		world.demand(changeType !== 'removed' || !service.names.has(id), `so it is: ${change}`);
		if (changeType === 'removed') followed.delete(id);
		else followed.set(id, name);
	}
	const differs = [...new Set([...followed.keys(), ...service.names.keys()])].filter(
		(id) => followed.get(id) !== service.names.get(id),
	);
	for (const id of differs) {
		// Changes Since does not notice what is removed; nor does who has forgotten that it was there.
		const isNoticed = plan.detectBy === 'fullComparison' && !forgotten.has(id);
		if (!isNoticed && !service.names.has(id)) continue;
		world.demand(
			false,
			`none is missed: ${id} is ${service.names.get(id)}, and not ${followed.get(id)}`,
		);
	}
	await world.end();
}
