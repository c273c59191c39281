// Worlds in which the trigger watches constantly edited vendors, some of them edited before each poll: polls fail
// midway, n8n dies between a poll's items, saving them and starting the execution, several processes take turns, lists
// are empty for a while, and a cache returns old pages. The promises of docs/trigger.md must hold in them.
import fc from 'fast-check';
import type { IDataObject, INodeParameters, IPollFunctions } from 'n8n-workflow';

import type * as Changes from '../../engine/poll/changes';
import type * as Poll from '../../engine/poll/poll';
import type * as WatchedLists from '../../nodes/AgencyRecordsTrigger/watchedLists';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { N8nProcess } from './n8nProcess.cts';
import { anyContext } from './requestHelper.cts';
import { serviceFaults, usualAccount } from './service.cts';
import { Vendors, type Edit, type Shortage } from './vendors.cts';
import { World, type PlanOf } from './world.cts';

/** The number of polls until the edits end. */
const pollsWithEdits = 10;

/** In number of polls. */
const pollOfDay = fc.double({ min: 0, max: pollsWithEdits, noNaN: true });

export const triggerPlans = fc.record({
	seed: fc.integer(),
	/** Milliseconds. */
	pollInterval: fc.constantFrom(60_000, 300_000, 600_000, 600_000, 1_200_000, 1_200_000),
	/**
	 * Where n8n keeps the static data between polls: in the memory of one process, or in the database of two that take
	 * turns; and whether each poll saves it, in one step with an execution.
	 */
	scheduler: fc.constantFrom('memory', 'turns', 'durableCursors'),
	pageSize: fc.constantFrom(4, 6, 100),
	/** Maximum number of changes for one execution. */
	maxItems: fc.constantFrom(1, 2, 5, 1000),
	/** The initial number of vendors. */
	vendors: fc.oneof(fc.nat(8), fc.nat(8), fc.integer({ min: 13, max: 15 })),
	/** The number of additional vendors that change before each poll. */
	busy: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 })),
	/** Milliseconds. */
	respondsWithin: fc.constantFrom(20, 2000, 25_000),
	edits: fc.array(
		fc.record({
			at: pollOfDay,
			/** Milliseconds, so that it happens while a poll reads its pages. */
			later: fc.nat(40_000),
			edit: fc.constantFrom<Edit>('add', 'change', 'remove', 'replace'),
			which: fc.double({ min: 0, max: 0.999, noNaN: true }),
		}),
		{ maxLength: 12 },
	),
	serviceFaults: fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...serviceFaults)), {
		maxLength: 4,
	}),
	/** The steps at which n8n's processes die, one process after the other. */
	deaths: fc.array(fc.oneof(fc.nat(60), fc.nat(400)), { maxLength: 4 }),
	/** When lists are empty or have two rows, and for how many polls. */
	shortage: fc.record({
		at: pollOfDay,
		polls: fc.constantFrom(0, 0, 1, 2, 3, 4, 8),
		rows: fc.constantFrom(0, 0, 2),
	}),
	/** Milliseconds for which a cache in front of the service keeps a page. */
	cachedFor: fc.constantFrom(0, 0, 3000),
	/** The polls before which somebody else reads the first page, so that it is cached, and the edit that follows. */
	otherReads: fc.array(
		fc.record({
			poll: fc.integer({ min: 1, max: pollsWithEdits }),
			/** Milliseconds. */
			before: fc.nat(4000),
			edit: fc.constantFrom<Edit>('remove', 'replace'),
			which: fc.double({ min: 0, max: 0.999, noNaN: true }),
		}),
		{ maxLength: 3 },
	),
});

/** By ID: the reported names of the rows. */
type Told = Map<number, string>;

/** n8n's saved data, and the reported rows when it was saved. */
interface Saved {
	staticData: IDataObject;
	told: Told;
	/** The items delivered last, if another process is to repeat them, as JSON. */
	delivered: readonly string[];
	deliveredBy?: N8nProcess;
}

const copyOf = ({ staticData, told, ...delivery }: Saved): Saved => ({
	staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
	told: new Map(told),
	...delivery,
});

const keyOf = ({ departmentBusinessID: id }: IDataObject) => id as number;

/** @returns whether it is a change compared with the earlier reports */
function follow(told: Told, item: IDataObject): boolean {
	const key = keyOf(item);
	const name = item.name as string;
	const before = told.get(key);
	if (item.changeType === 'removed') return told.delete(key);
	told.set(key, name);
	return item.changeType === 'added' ? before === undefined : ![undefined, name].includes(before);
}

/** The most characters of static data for rows as small as these; the state is there twice, by the node's name and ID. */
const maxStaticData = 100_000;

/** Many rows missing at once count as removed only after this time and this number of polls. */
const missing = { milliseconds: 30 * 60_000, polls: 4, few: 10 };

/** Milliseconds that a poll takes, at most. */
const longestPoll = 400_000;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveTrigger(plan: PlanOf<typeof triggerPlans>): Promise<void> {
	const { pollInterval, scheduler, shortage } = plan;
	const world = new World(plan.seed);
	const faults = new Map(plan.serviceFaults);
	const takesTurns = scheduler !== 'memory';
	const service = new Vendors(world, {
		...usualAccount,
		...plan,
		// With several processes, n8n ends a poll that takes longer.
		respondsWithin:
			takesTurns || plan.cachedFor > 0 ? Math.min(plan.respondsWithin, 2000) : plan.respondsWithin,
		retryAfter: 1,
		tokens: 3,
		faults,
	});
	service.cachedFor = plan.cachedFor;
	const credential = {
		...sandboxCredential('https://service.example', { grantType: 'password' }),
		pageSize: plan.pageSize,
	};
	const parameters: INodeParameters = {
		resource: 'vendor',
		triggerOn: ['added', 'changed', 'removed'],
		options: { maxTries: 2 },
	};
	const about = { name: 'Trigger', type: 'trigger', parameters };

	let saved: Saved = { staticData: {}, told: new Map(), delivered: [] };
	/** The items given to executions, in order. */
	const given: IDataObject[] = [];
	/** Items that an execution was started with, as JSON. */
	const started = new Set<string>();
	/** IDs given to an execution by a process that died before saving them. */
	const forgotten = new Set<number>();
	/** IDs whose items reached no execution, twice. */
	const lost = new Set<() => number | undefined>();
	/** By the world's clock: when polls began. */
	const polls: number[] = [];

	const contextIn = (process: N8nProcess, staticData: IDataObject) => {
		const context = {
			...anyContext(process, { service, credential }, about, {}),
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getWorkflowStaticData: () => staticData,
			// A failed poll throws if n8n's scheduler called it; otherwise it emits its error.
			getActivationMode: () => (takesTurns ? 'update' : 'init'),
			__emitError: () => {},
			...(takesTurns && { getPollBudgetMs: () => 36_000 }),
		};
		return context as unknown as IPollFunctions;
	};

	/** Whether an existing row may be reported as removed, because it was missing with many others for long. */
	const wasMissingLong = (told: Told): boolean => {
		const { now } = world;
		const [{ from, until, rows }] = service.shortages as [Shortage];
		if (until === from || now < from || now > until + longestPoll) return false;
		const isFew = rows > 0 && told.size - rows <= missing.few;
		const pollsSince = polls.filter((poll) => poll >= from - longestPoll).length;
		return isFew || (now - from >= missing.milliseconds && pollsSince >= missing.polls);
	};

	/** Demands that items are as docs/trigger.md promises. */
	const demandPromised = (process: N8nProcess, items: readonly IDataObject[], state: Saved) => {
		const texts = items.map((item) => JSON.stringify({ ...item, repeated: undefined }));
		if (items.some(({ repeated }) => repeated === true)) {
			const isWhole = texts.join() === state.delivered.join();
			world.demand(isWhole, `repeated once, and as delivered: ${texts.join()}`);
			world.demand(state.deliveredBy !== process, `repeated by another process: ${texts.join()}`);
			state.delivered = [];
			return;
		}
		world.demand(items.length <= plan.maxItems, `at most ${plan.maxItems}: ${items.length}`);
		for (const [index, item] of items.entries()) {
			const key = keyOf(item);
			const text = texts[index]!;
			const isThere = service.names.has(key);
			if (item.changeType === 'removed')
				world.demand(!isThere || wasMissingLong(state.told), `it is gone: ${text}`);
			else world.demand(service.namesEver.get(key)!.has(item.name as string), `it was so: ${text}`);
			world.demand(follow(state.told, item), `once: ${text}`);
		}
		Object.assign(state, { delivered: texts, deliveredBy: process });
	};

	/** n8n saves the trigger's state and starts an execution: in parallel or in one step. */
	const emit = async (process: N8nProcess, items: readonly IDataObject[], state: Saved) => {
		const copy = copyOf(state);
		for (const item of items) forgotten.add(keyOf(item));
		const save = () => {
			saved = copy;
			for (const item of items) {
				forgotten.delete(keyOf(item));
				if (item.repeated !== true) continue;
				const text = JSON.stringify({ ...item, repeated: undefined });
				lost.add(() => (started.has(text) ? undefined : keyOf(item)));
			}
		};
		const start = () => {
			given.push(...items);
			for (const item of items) started.add(JSON.stringify({ ...item, repeated: undefined }));
		};
		const soon = () => world.pause(world.between(1, 50), process);
		if (scheduler === 'durableCursors') await soon().then(save).then(start);
		else await Promise.all([soon().then(save), soon().then(start)]);
	};

	/** The trigger, as a process of n8n loads it. */
	const pollIn = (process: N8nProcess) => {
		const { poll } = process.load<typeof Poll>('engine/poll/poll');
		process.load<typeof Changes>('engine/poll/changes').executionLimits.items = plan.maxItems;
		const { watchedLists } = process.load<typeof WatchedLists>(
			'nodes/AgencyRecordsTrigger/watchedLists',
		);
		return async (staticData: IDataObject) =>
			await poll(contextIn(process, staticData), watchedLists);
	};

	/** n8n polls when a person activates the trigger, and saves its state: here, an empty list. */
	const activate = async (): Promise<void> => {
		const poll = pollIn(new N8nProcess(world, 'n8n, when the trigger is activated'));
		while (saved.staticData.source === undefined) await poll(saved.staticData).catch(() => {});
	};

	const deaths = [...plan.deaths];
	/** From then on, nothing dies: a new process would count from 0 how long rows have been missing. */
	let isCalm = false;
	let processes = 0;
	/** Starts a process of n8n. @returns its schedule's action */
	const begin = () => {
		const process = new N8nProcess(world, `n8n ${++processes}`);
		const step = deaths.shift();
		if (step !== undefined) process.troubles.set(step, () => isCalm || process.die());
		const poll = pollIn(process);
		const inMemory = copyOf(saved);
		const pollOnce = async () => {
			service.changeBusy();
			polls.push(world.now);
			const state = takesTurns ? copyOf(saved) : inMemory;
			const output = await poll(state.staticData).catch(() => null);
			const items = output?.[0]?.map(({ json }) => json) ?? [];
			if (items.length > 0) {
				demandPromised(process, items, state);
				await emit(process, items, state);
			} else if (scheduler === 'durableCursors') saved = copyOf(state);
			const size = JSON.stringify(state.staticData).length;
			world.demand(size <= maxStaticData, `static data has a bound: ${size}`);
		};
		return { process, pollOnce };
	};

	let isNight = false;
	const liveDay = async (): Promise<void> => {
		const mains = (takesTurns ? [0, 1] : [0]).map(begin);
		for (const [at, { process }] of mains.entries()) {
			const replace = async (dead: N8nProcess): Promise<void> => {
				await dead.death;
				await world.pause(5000);
				mains[at] = begin();
				// n8n polls when it starts.
				if (!takesTurns) void mains[at].pollOnce();
				return await replace(mains[at].process);
			};
			void replace(process);
		}
		while (!isNight) {
			const { process, pollOnce } = world.oneOf(mains);
			if (!process.isDead) void pollOnce();
			await world.pause(pollInterval);
		}
	};

	await world.until(activate());
	const begun = world.now;
	const at = (poll: number, later: number, happen: () => void) =>
		world.after(poll * pollInterval + later, happen);
	service.addBusy(plan.busy);
	for (let count = 0; count < plan.vendors; count++) service.edit('add', 0);
	for (const { at: poll, later, edit, which } of plan.edits)
		at(poll, later, () => service.edit(edit, which));
	for (const { poll, before, edit, which } of plan.otherReads) {
		at(poll, -before, () => void service.read({ limit: plan.pageSize }));
		at(poll, -before / 2, () => service.edit(edit, which));
	}
	at(pollsWithEdits, 0, () => faults.clear());
	const from = begun + shortage.at * pollInterval;
	const lasts = shortage.polls * pollInterval;
	service.shortages = [{ from, until: from + lasts, rows: shortage.rows }];
	// Then come enough quiet polls for all changes, since the busy rows take their turns.
	const rows = plan.vendors + plan.busy;
	const isLong = lasts >= missing.milliseconds;
	const changes = (isLong ? 3 : 1) * rows + 2 * (plan.edits.length + plan.otherReads.length);
	// An empty list is believed late, even if all rows were removed.
	const pollsOfMissing = missing.polls + Math.ceil(missing.milliseconds / pollInterval);
	const calm = 3 + Math.max(pollsWithEdits, shortage.at + shortage.polls);
	// If processes take turns, the other one repeats the delivered items.
	const pollsFor = (count: number) => Math.ceil(count / plan.maxItems) * (takesTurns ? 2 : 1);
	const quietPolls = 4 + pollsOfMissing + pollsFor(changes);
	/** The names of busy rows before the last polls. */
	let namesBefore = new Map<number, string>();
	const busyPolls = plan.busy && 4 + pollsFor(2 * rows);
	at(calm, 0, () => (isCalm = true));
	at(calm + quietPolls, 0, () => (namesBefore = service.names));
	at(calm + quietPolls + busyPolls, 0, () => (isNight = true));
	await world.until(liveDay());

	const followed: Told = new Map();
	for (const item of given) follow(followed, item);
	const lostKeys = new Set([...lost].map((key) => key()));
	for (const key of new Set([...followed.keys(), ...service.names.keys()])) {
		const name = service.names.get(key);
		const toldName = followed.get(key);
		// A process that has forgotten a row does not notice its removal.
		if (lostKeys.has(key) || (name === undefined && forgotten.has(key))) continue;
		const isTold = service.isBusy(key)
			? toldName !== undefined && toldName !== namesBefore.get(key)
			: toldName === name;
		world.demand(isTold, `none is missed: ${key} is ${name}, and not ${toldName}`);
	}
	await world.end();
}
