// Worlds in which rows are sent with keys: several processes of n8n, overlapping runs, troubles of all kinds, people who
// follow the advice of error items, and a next morning without trouble. The laws of all these worlds are checked here.
import { getEventListeners } from 'node:events';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Execution, type ExecutionOptions } from './execution.cts';
import { N8nProcess } from './n8nProcess.cts';
import { openScheduleWorld } from './scheduleWorld.cts';
import { serviceFaults, type ServiceFault } from './service.cts';
import { storeFaults } from './store.cts';
import type { Creation } from './shiftSchedules.cts';
import type { PlanOf } from './world.cts';

/** The number of n8n processes. */
const processes = 3;

/** With few rows, early troubles are more likely to strike something. */
const soonOr = (later: number): fc.Arbitrary<number> => fc.oneof(fc.nat(4), fc.nat(later));

/** Milliseconds; 0 is a death. */
const suspensions = fc.constantFrom(0, 0, 2000, 9000, 16_000, 36_000, 60_000, 90_000, 600_000);

/** Faults after which the outcome of each request is known. */
const clearFaults: readonly ServiceFault[] = ['noConnection', 'refused', 'tooMany', 'tokenEnds'];

const anyPlans = fc.record({
	seed: fc.integer(),
	/** Without keys each run has rows of its own. */
	hasKeys: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
	rows: fc.oneof({ weight: 50, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constant(120)),
	/** The setting of that name. */
	parallelRequests: fc.constantFrom(1, 3, 16),
	/** Milliseconds. */
	respondsWithin: fc.constantFrom(50, 50, 3000, 35_000),
	/** Seconds. */
	retryAfter: fc.constantFrom(1, 40, 120),
	timeout: fc.constantFrom(300, 300, 5),
	tokens: fc.integer({ min: 1, max: 3 }),
	/** Time until a person looks at the output of a run (milliseconds). */
	personComesAfter: fc.constantFrom(0, 1000, 11_000, 60_000),
	serviceFaults: fc.array(fc.tuple(soonOr(30), fc.constantFrom(...serviceFaults)), {
		maxLength: 12,
	}),
	storeFaults: fc.array(
		fc.record({
			query: fc.oneof(fc.nat(150), fc.nat(1500)),
			fault: fc.constantFrom(...storeFaults),
			queries: fc.constantFrom(1, 1, 3, 8),
		}),
		{ maxLength: 3 },
	),
	runs: fc.array(
		fc.record({
			process: fc.nat(processes - 1),
			at: fc.oneof(fc.nat(60), fc.nat(2000), fc.nat(120_000)),
			continueOnFail: fc.boolean(),
			stoppedAfter: fc.option(fc.nat(20_000), { nil: undefined, freq: 2 }),
			/** Whether some rows have other values than in the other runs. */
			isCorrected: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
			/** The setting of that name. */
			checkOnly: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
		}),
		{ minLength: 2, maxLength: 6 },
	),
	troubles: fc.array(
		fc.record({
			process: fc.nat(processes - 1),
			step: fc.oneof(fc.nat(40), fc.nat(300)),
			suspendedFor: suspensions,
			isOfMachine: fc.boolean(),
			clockStops: fc.boolean(),
		}),
		{ maxLength: 5 },
	),
});

type AnyPlan = PlanOf<typeof anyPlans>;

/** The same world, in which nothing may be in doubt: the database is busy at worst. */
const calmed = (plan: AnyPlan): AnyPlan => ({
	...plan,
	timeout: 300,
	serviceFaults: plan.serviceFaults.filter(([, fault]) => clearFaults.includes(fault)).slice(0, 3),
	storeFaults: plan.storeFaults.map(({ query }) => ({
		query: query % 100,
		fault: 'refused',
		queries: 1,
	})),
	runs: plan.runs.map((run) => ({ ...run, stoppedAfter: undefined })),
	troubles: [],
});

export const sendOncePlans = fc
	.tuple(anyPlans, fc.constantFrom(true, false, false, false))
	.map(([plan, isCalm]) => ({ ...(isCalm ? calmed(plan) : plan), isCalm }));

type SendOncePlan = PlanOf<typeof sendOncePlans>;

/** Maximum number of keys that a check looks up at once. */
const mostChecked = 64;

/** A run that takes longer counts as endless (milliseconds). */
const longestRun = 2 * 3_600_000;

/** The same if all is quick, and no run waits until another counts as dead. */
const longestQuickRun = 15_000;

/** Whether requests may go without a response, which leaves their items in doubt. */
const timesOut = ({ respondsWithin, timeout }: Pick<SendOncePlan, 'respondsWithin' | 'timeout'>) =>
	respondsWithin >= timeout * 1000;

const isQuick = ({ isCalm, rows, respondsWithin, serviceFaults: faults }: SendOncePlan): boolean =>
	isCalm && rows < 10 && respondsWithin < 100 && faults.every(([, fault]) => fault !== 'tooMany');

const errorOf = (json: IDataObject | undefined) =>
	json?.error as { outcome: string; code: string; reason?: string } | undefined;

/**
 * Whether an execution sent an item on an outdated answer: another one had sent the item on the same answer, and it was in
 * doubt again before this one looked at the key (an exception in docs/across-runs.md).
 */
function isOnOutdatedAnswer(
	name: string,
	{ by, at }: Creation,
	creations: readonly Creation[],
	executions: readonly Execution[],
): boolean {
	const second = by as Execution;
	const isNotThere = (one: object) =>
		one instanceof Execution && one.options.options?.sendOnceLookedUp === 'areNotThere';
	return creations.some(({ by: other, at: sentAt }) => {
		const first = other as Execution;
		const isEarlier = first.lookedAt < second.lookedAt && second.beganAt < sentAt;
		const isInDoubtAgain = executions.some(
			({ endedAt, outcomes, ended }) =>
				endedAt > first.lookedAt &&
				endedAt < at &&
				(errorOf(outcomes.get(name))?.outcome === 'inDoubt' ||
					(ended?.error?.message.includes('its outcome is unknown') &&
						ended.error.message.includes(`"${name}"`))),
		);
		return isNotThere(first) && isNotThere(second) && isEarlier && isInDoubtAgain;
	});
}

/** Lives one world. @throws Error when a law is broken */
export async function liveSendOnce(plan: SendOncePlan): Promise<void> {
	const faults = new Map(plan.serviceFaults);
	const place = openScheduleWorld(plan.seed, processes, { ...plan, faults });
	const { world, service, running, demand, environment } = place;
	const { store } = environment;
	for (const { query, fault, queries } of plan.storeFaults)
		for (let count = 0; count < queries; count++) store.faults.set(query + count, fault);
	const names = Array.from({ length: plan.rows }, (_, row) => `row ${row}`);
	const namesOf = (run: number) =>
		plan.hasKeys ? names : names.map((name) => `run ${run}, ${name}`);
	const executions: Execution[] = [];
	const corrected = (name: string) => `${name}, corrected`;
	const correctedNow = (name: string) => (name.endsWith('0') ? corrected(name) : name);

	let holder: object | undefined;
	store.onWrite = ({ scope, kind, process, row }) => {
		if (scope === 'node') {
			demand(holder === process, 'who writes keys holds the lock');
			const open = row?.filter((mark) => mark.startsWith('started\n')).length ?? 0;
			const ofEachRun = 2 * plan.parallelRequests + 10;
			const ofCheck = plan.runs.some(({ checkOnly }) => checkOnly) ? mostChecked : 0;
			const mostOpen = executions.length * ofEachRun + plan.serviceFaults.length + ofCheck;
			demand(
				timesOut(plan) || open <= mostOpen,
				'a run that dies leaves no more than the stated bound in doubt',
			);
		} else if (kind === 'insert') holder = process;
		else if (kind === 'delete') holder = undefined;
	};
	for (const { process: at, step, suspendedFor, isOfMachine, clockStops } of plan.troubles) {
		const process = running[at]!;
		const strike = () => {
			if (suspendedFor === 0) return process.die();
			if (isOfMachine) return running.forEach((each) => each.suspend(suspendedFor, clockStops));
			// Its lock would be broken (an exception in docs/across-runs.md).
			const isTooLong = suspendedFor > 15_000 && (holder === process || store.isAsked(process));
			if (isTooLong) process.troubles.set(process.steps, strike);
			else process.suspend(suspendedFor, clockStops);
		};
		process.troubles.set(step, strike);
	}

	/**
	 * Whether a row is there with other values, which may go unnoticed after it was in doubt, or if processes die, stand
	 * still or lose their database (an exception in docs/across-runs.md).
	 */
	const isThereOtherwise = (name: string) =>
		!plan.isCalm && [name, corrected(name)].some((one) => service.count(one) > 0);

	let { timeout } = plan;

	/** Runs rows; resolves when the run has ended, or its process died and was restarted. */
	const execute = async (at: number, options: ExecutionOptions): Promise<Execution> => {
		const process = running[at]!;
		const { parallelRequests } = plan;
		const execution = new Execution(process, environment, {
			...options,
			options: { parallelRequests, timeout, ...options.options },
		});
		const run = executions.push(execution);
		const { names: rows, cancel: _, retryOf, values = (name: string) => name, ...others } = options;
		const how = JSON.stringify({ ...others, isRetry: retryOf !== undefined });
		world.tell(`run ${run} in ${process.name} begins: ${rows.length} rows ${how}`);
		const began = world.now;
		await Promise.race([execution.run(), process.death]);
		if (process.isDead && running[at] === process)
			running[at] = new N8nProcess(world, `${process.name}+`);
		const longest = isQuick(plan) ? longestQuickRun : longestRun;
		demand(world.now - began < longest, 'a run ends');
		world.tell(`run ${run} ends: ${execution.ended?.error?.message ?? ''}`);
		for (const [name, json] of execution.outcomes) {
			if (names.length < 10) world.tell(`run ${run}: ${name} is ${JSON.stringify(json)}`);
			const error = errorOf(json);
			const creators = service.creations.get(values(name))?.map(({ by }) => by) ?? [];
			const isThere = creators.length > 0;
			if (options.options?.checkOnly)
				demand(!creators.includes(execution), `what is only checked is not sent: ${name}`);
			if (json.wouldSend) continue;
			if (!error)
				demand(isThere || isThereOtherwise(name), `what is called done is there: ${name}`);
			else if (error.reason === 'sameValues')
				demand(false, `no other row has these values: ${name}`);
			else if (error.reason === 'otherValues')
				demand(!isThere, `a row is called another only if it is: ${name}`);
			else if (['notSent', 'awaited', 'refused'].includes(error.outcome))
				demand(!creators.includes(execution), `what is called ${error.outcome} is not: ${name}`);
		}
		return execution;
	};

	/** A person follows the advice of the error items. */
	const followAdvice = async (at: number, execution: Execution): Promise<void> => {
		const inDoubt = [...execution.outcomes].filter(
			([, json]) => errorOf(json)?.outcome === 'inDoubt',
		);
		if (inDoubt.length === 0 || !plan.hasKeys) return;
		await world.pause(plan.personComesAfter);
		for (const [name] of inDoubt) {
			// Nobody can know the outcome of a request that the service is still working on.
			const { values } = execution.options;
			const named = [name, corrected(name)];
			while (named.some((one) => service.isWorkingOn(one))) await world.pause(1000);
			const there = named.find((one) => service.count(one) > 0);
			const sendOnceLookedUp = there === undefined ? 'areNotThere' : 'areThere';
			await execute(at, {
				names: [name],
				// The person runs the row with the values of its record.
				values: there === undefined ? values : () => there,
				mode: 'manual',
				options: { sendOnceLookedUp },
			});
		}
	};

	type Run = SendOncePlan['runs'][number];
	const liveRun = async (
		{ process, at, stoppedAfter, continueOnFail, isCorrected, checkOnly }: Run,
		run: number,
	) => {
		await world.pause(at);
		const stop = new AbortController();
		if (stoppedAfter !== undefined) world.after(stoppedAfter, () => stop.abort());
		const options = {
			names: namesOf(run),
			withoutKey: !plan.hasKeys,
			continueOnFail,
			cancel: stop.signal,
			...(checkOnly && { options: { checkOnly } }),
			// Without keys, a row with other values would be another row.
			...(isCorrected && plan.hasKeys && { values: correctedNow }),
		};
		const execution = await execute(process, options);
		if (execution.process.isDead || execution.ended?.error) {
			const retried = await execute(process, { ...options, cancel: undefined, retryOf: execution });
			await followAdvice(process, retried);
		} else await followAdvice(process, execution);
		if (execution.ended)
			demand(getEventListeners(stop.signal, 'abort').length <= 1, 'one listener is left');
	};

	await world.until(Promise.all(plan.runs.map((run, at) => liveRun(run, at))));
	const isDoubtful = (execution: Execution) =>
		[...execution.outcomes.values()].some(
			(json) => errorOf(json)?.outcome === 'inDoubt' && errorOf(json)?.reason !== 'otherValues',
		);
	demand(!plan.isCalm || !executions.some(isDoubtful), 'only what is in doubt is called so');

	// The next morning: the remaining rows are sent, or looked up.
	timeout = 300;
	store.faults.clear();
	faults.clear();
	for (const process of running) process.troubles.clear();
	for (let morning = 0; morning < 2; morning++) {
		await world.until(world.pause(3_600_000));
		await world.until(execute(0, { names }).then((execution) => followAdvice(0, execution)));
	}
	const ofAll = [...names, ...service.creations.keys()];
	for (const name of new Set(ofAll.map((one) => one.replace(corrected(''), '')))) {
		const creations = [name, corrected(name)].flatMap((one) => service.creations.get(one) ?? []);
		const counted = creations.filter(
			(one) => !isOnOutdatedAnswer(name, one, creations, executions),
		);
		demand(counted.length === 1, `${name} is there ${counted.length} times`);
	}
	await world.end();
}
