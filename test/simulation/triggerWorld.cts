// Worlds in which the trigger watches vendors that are edited all the time: polls fail midway, n8n dies between what a poll
// gives, what of it is saved and the execution that it starts, and lists come without rows.
import fc from 'fast-check';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';

import { digestOf } from '../../engine/kinds/list/rows';
import type * as Poll from '../../engine/poll/poll';
import type * as WatchedLists from '../../nodes/AgencyRecordsTrigger/watchedLists';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { N8nProcess } from './n8nProcess.cts';
import { anyContext } from './requestHelper.cts';
import { serviceFaults, usualAccount } from './service.cts';
import { Vendors, type Edit } from './vendors.cts';
import { World, type PlanOf } from './world.cts';

/** Milliseconds: between two polls, and until nothing is edited any more. */
const [pollInterval, evening] = [60_000, 600_000];

export const triggerPlans = fc.record({
	seed: fc.integer(),
	pageSize: fc.constantFrom(2, 3, 100),
	/** Maximum number of changes for one execution. */
	maxItems: fc.constantFrom(1, 2, 1000),
	/** How many vendors there are at first. */
	vendors: fc.nat(8),
	/** Milliseconds. */
	answersWithin: fc.constantFrom(20, 2000, 25_000),
	edits: fc.array(
		fc.record({
			// Also while the pages of a poll are read.
			at: fc.oneof(
				fc.nat(evening),
				fc.tuple(fc.nat(9), fc.nat(40_000)).map(([polls, later]) => polls * pollInterval + later),
			),
			edit: fc.constantFrom<Edit>('add', 'change', 'remove', 'replace'),
			which: fc.double({ min: 0, max: 0.999, noNaN: true }),
		}),
		{ maxLength: 12 },
	),
	serviceFaults: fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...serviceFaults)), {
		maxLength: 4,
	}),
	/** The steps of n8n's processes, one after the other, at which they die. */
	deaths: fc.array(fc.nat(60), { maxLength: 3 }),
	/** When one list comes without its rows. */
	noRowsAt: fc.nat(evening),
});

/** By ID: the rows that executions were told of, as they were told. */
type Told = Map<number, IDataObject>;

const keyOf = ({ departmentBusinessID: id }: IDataObject) => id as number;

function follow(told: Told, { changeType, ...row }: IDataObject): void {
	if (changeType === 'removed') told.delete(keyOf(row));
	else told.set(keyOf(row), row);
}

/** The snapshot that the trigger has saved, row by row. */
const snapshotIn = ({ snapshot }: IDataObject): string[] =>
	snapshot ? (snapshot as string).split('\n').map((line) => line.replace(/^(\S+)\?/, '$1 ')) : [];

/** A row as a snapshot has it. */
const lineOf = (row: IDataObject) => `${digestOf(row)} ${keyOf(row)}`;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveTrigger(plan: PlanOf<typeof triggerPlans>): Promise<void> {
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
		pageSize: plan.pageSize,
	};
	const parameters: INodeParameters = {
		resource: 'vendor',
		triggerOn: ['added', 'changed', 'removed'],
		options: { maxTries: 2, maxItems: plan.maxItems },
	};
	const about = { name: 'Trigger', type: 'trigger', parameters };

	/** As n8n's database has it. */
	let savedStaticData: IDataObject = {};
	/** Those that the trigger had told of when this was saved. */
	let savedTold: Told = new Map();
	/** What executions were given, in order. */
	const given: Array<{ process: N8nProcess; item: IDataObject }> = [];
	/** IDs that an execution was given by a process which has died before it saved that. */
	const forgotten = new Set<unknown>();

	const contextIn = (process: N8nProcess, staticData: IDataObject) => {
		const context = {
			...anyContext(process, { service, credential }, about, {}),
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getWorkflowStaticData: () => staticData,
		};
		return context as unknown as IPollFunctions;
	};

	/** n8n saves what the trigger remembers, and starts an execution, side by side. */
	const emit = async (
		process: N8nProcess,
		items: INodeExecutionData[],
		staticData: IDataObject,
		told: Told,
	) => {
		const copy = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		const toldNow = new Map(told);
		const ids = items.map(({ json }) => keyOf(json));
		for (const id of ids) forgotten.add(id);
		const save = world.pause(world.between(1, 50), process).then(() => {
			savedStaticData = copy;
			savedTold = toldNow;
			for (const id of ids) forgotten.delete(id);
		});
		const start = world
			.pause(world.between(1, 50), process)
			.then(() => void given.push(...items.map(({ json: item }) => ({ process, item }))));
		await Promise.all([save, start]);
	};

	/** What the trigger remembers is what it has told: it neither skips a change, nor tells one that it remembers. */
	const demandMerged = (staticData: IDataObject, told: Told) => {
		const lines = new Set([...told.values()].map(lineOf));
		const snapshot = snapshotIn(staticData);
		for (const line of snapshot) world.demand(lines.has(line), `remembered, and told: ${line}`);
		world.demand(snapshot.length === lines.size, `told, and remembered: ${[...lines].join()}`);
	};

	/** The trigger, as a process of n8n loads it. */
	const pollIn = (process: N8nProcess) => {
		const { poll } = process.load<typeof Poll>('engine/poll/poll');
		const { watchedLists } = process.load<typeof WatchedLists>(
			'nodes/AgencyRecordsTrigger/watchedLists',
		);
		return async (context: IPollFunctions) => await poll(context, watchedLists);
	};

	/** n8n polls when a person activates the trigger, and saves what it then remembers: here, a list without rows. */
	const activate = async (): Promise<void> => {
		const process = new N8nProcess(world, 'n8n, when the trigger is activated');
		const poll = pollIn(process);
		while (savedStaticData.source === undefined)
			await poll(contextIn(process, savedStaticData)).catch(() => {});
	};

	let isEvening = false;
	/** Lives until the process dies, or the evening. */
	const liveProcess = async (process: N8nProcess): Promise<void> => {
		const poll = pollIn(process);
		const staticData = JSON.parse(JSON.stringify(savedStaticData)) as IDataObject;
		const context = contextIn(process, staticData);
		const told = new Map(savedTold);
		const pollOnce = async () => {
			const items = await poll(context).then(
				(output) => output?.[0] ?? [],
				() => [],
			);
			const fresh = items.map(({ json }) => json).filter(({ repeated }) => repeated !== true);
			for (const item of fresh) follow(told, item);
			demandMerged(staticData, told);
			if (items.length > 0) await emit(process, items, staticData, told);
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
			await Promise.race([liveProcess(process), process.death]);
			if (!process.isDead) return process;
			await world.pause(5000);
		}
	};

	await world.until(activate());
	for (let count = 0; count < plan.vendors; count++) service.edit('add', 0);
	for (const { at, edit, which } of plan.edits) world.after(at, () => service.edit(edit, which));
	world.after(evening, () => faults.clear());
	world.after(plan.noRowsAt, () => (service.sendsNoRows = true));
	// Then there are some quiet polls more, as many as all changes take.
	const quietPolls = 8 + Math.ceil((plan.vendors + 2 * plan.edits.length) / plan.maxItems);
	world.after(evening + quietPolls * pollInterval, () => (isEvening = true));
	await world.until(liveDay());

	const followed: Told = new Map();
	const toldBy = new Map<string, N8nProcess>();
	for (const { process, item } of given) {
		const { repeated, ...change } = item;
		const text = JSON.stringify(change);
		world.demand(toldBy.get(text) !== process || repeated === true, `told once: ${text}`);
		toldBy.set(text, process);
		// No ID comes back.
		const isGone = !service.names.has(keyOf(item));
		world.demand(item.changeType !== 'removed' || isGone, `so it is: ${text}`);
		follow(followed, change);
	}
	for (const key of new Set([...followed.keys(), ...service.names.keys()])) {
		const name = service.names.get(key);
		const toldName = followed.get(key)?.name as string | undefined;
		// A removal is not noticed by who has forgotten that the row was there.
		if (name === undefined && forgotten.has(key)) continue;
		world.demand(toldName === name, `none is missed: ${key} is ${name}, and not ${toldName}`);
	}
	await world.end();
}
