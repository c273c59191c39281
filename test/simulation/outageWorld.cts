// Worlds in which the service fails for a while or for good while several runs of two processes create rows: it is too
// busy or a quota is used up, with or without a time to wait, or it is unreachable, or it hangs. In other worlds it
// works, but some requests hang.
import fc from 'fast-check';

import { createRows, openScheduleWorld } from './scheduleWorld.cts';
import { failureStatuses, namedTimes, type OutageResponse } from './service.cts';
import type { PlanOf } from './world.cts';

const processes = 2;

const quota = { statusCode: 403, message: 'Out of call volume quota.' };

const refusals: fc.Arbitrary<OutageResponse> = fc.oneof(
	fc.record({ status: fc.constant(429), retryAfter: fc.constantFrom(...namedTimes, 3600) }),
	fc.record({
		status: fc.constant(403),
		retryAfter: fc.constantFrom(undefined, 1, 7, 3600),
		json: fc.constant(quota),
	}),
	fc.constant<OutageResponse>('ECONNREFUSED'),
);
const doubts: fc.Arbitrary<OutageResponse> = fc.oneof(
	fc.record({
		status: fc.constantFrom(...failureStatuses),
		retryAfter: fc.constantFrom(...namedTimes, 3600),
		isProcessed: fc.boolean(),
	}),
	fc.constantFrom<OutageResponse>('ECONNRESET', 'hangs'),
);

const runs = fc.array(
	fc.record({ process: fc.nat(processes - 1), at: fc.oneof(fc.nat(100), fc.nat(30_000)) }),
	{ minLength: 1, maxLength: 3 },
);

export const outagePlans = fc.record({
	seed: fc.integer(),
	rows: fc.constantFrom(1, 12, 150),
	/** Milliseconds. */
	respondsWithin: fc.constantFrom(20, 400),
	/** The settings of these names. */
	parallelRequests: fc.constantFrom(1, 16, 256),
	maxTries: fc.constantFrom(1, 4),
	maxWait: fc.constantFrom(0, 5, 60),
	/** Seconds. */
	timeout: fc.constantFrom(8, 300),
	/** Milliseconds; without an end, it lasts forever. */
	outage: fc.record({
		from: fc.constantFrom(0, 300, 2000),
		lasts: fc.option(fc.constantFrom(500, 20_000, 200_000), { nil: undefined }),
	}),
	response: fc.oneof(refusals, doubts),
	runs,
});

/** Milliseconds that a run may take besides its waits. */
const timeToWork = 20_000;

/** Maximum number of writes in progress while it is unknown whether the service responds. */
const mostUntested = 48;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveOutage(plan: PlanOf<typeof outagePlans>): Promise<void> {
	const { rows, response, maxWait, maxTries, parallelRequests, timeout } = plan;
	const { from, lasts = Infinity } = plan.outage;
	const place = openScheduleWorld(plan.seed, processes, {
		respondsWithin: plan.respondsWithin,
		tokens: processes,
		retryAfter: 1,
		faults: new Map(),
		outage: { from, until: from + lasts, response },
	});
	const { world, service, demand } = place;
	// An unreachable service, or one whose limit is exceeded, has processed nothing.
	const isClear =
		response === 'ECONNREFUSED' ||
		(typeof response !== 'string' && response.status < 500 && response.status !== 408);

	const hangs = response === 'hangs';
	// A hanging request counts as failed when its time is over, as does the one that then goes alone.
	const timeToLearn = timeToWork + (hangs ? 3000 * timeout : 0);

	const options = { parallelRequests, maxTries, maxWait, timeout };
	const live = async (planned: (typeof plan.runs)[number], run: number) => {
		await createRows(place, planned, { run, rows, options }, ({ isInDoubt, said }) =>
			demand(!(isClear && isInDoubt), `what was not processed is in doubt: ${said}`),
		);
		const took = world.now - Math.max(from, planned.at);
		const isOver = lasts !== Infinity || took < maxWait * 1000 + timeToLearn;
		demand(isOver, `a run ends after Max Wait: ${Math.round(took)} ms`);
	};
	await world.until(Promise.all(plan.runs.map(live)));

	// The writes in progress when it begins: one while nothing is known, twenty if it takes ten failures in a row; then
	// one after each wait. Waits grow from half a second if the service names no time, and if each further row would be
	// in doubt.
	const seconds = Math.min(maxWait, lasts / 1000);
	const named = isClear && typeof response !== 'string' ? response.retryAfter : undefined;
	const waits = named ? seconds / named : 2 + Math.log2(1 + 2 * seconds);
	const mayBeOwnFault = typeof response !== 'string' && response.status === 500;
	const mostAtFirst = (from === 0 && !hangs ? 1 : mostUntested) + (mayBeOwnFault ? 20 : 0);
	const most = plan.runs.length * (mostAtFirst + waits) + (hangs ? mostUntested : 0);
	demand(service.requestsInOutage <= most, `${service.requestsInOutage} requests in vain`);
	const isUntested = from === 0 && hangs;
	demand(
		!isUntested || service.mostHanging <= processes * mostUntested,
		`${service.mostHanging} writes hang at once`,
	);
	await world.end();
}

export const hangingPlans = fc.record({
	seed: fc.integer(),
	rows: fc.constantFrom(12, 40, 150),
	/** Milliseconds. */
	respondsWithin: fc.constantFrom(20, 400),
	/** Seconds. */
	timeout: fc.constantFrom(8, 60, 300),
	/** The numbers of the requests that hang. */
	hanging: fc.oneof(
		fc.integer({ min: 1, max: 25 }).map((count) => Array.from({ length: count }, (_, n) => n)),
		fc.uniqueArray(fc.nat(100), { maxLength: 25 }),
	),
	runs,
});

/**
 * Milliseconds within which everything that does not hang is done: a process's first write, and then ten at a time,
 * count as hanging after ten seconds plus up to half a second.
 */
const timeToPass = 4 * 10_500;

/** Lives a world in which some requests hang. @throws Error if they keep others from being sent */
export async function liveHanging(plan: PlanOf<typeof hangingPlans>): Promise<void> {
	const { rows, hanging, timeout } = plan;
	const place = openScheduleWorld(plan.seed, processes, {
		respondsWithin: plan.respondsWithin,
		tokens: processes,
		retryAfter: 1,
		faults: new Map(hanging.map((number) => [number, 'noResponse'])),
	});
	const { world, service, demand } = place;
	let done = 0;
	const live = (planned: (typeof plan.runs)[number], run: number) =>
		createRows(place, planned, { run, rows, options: { timeout } }, ({ isDone }) => {
			if (isDone) done++;
		});
	await world.until(Promise.all(plan.runs.map(live)));
	const late = service.lastDoneAt - Math.max(...plan.runs.map(({ at }) => at));
	demand(late < timeToPass + timeToWork, `rows wait ${late} ms for those that hang`);
	const sent = plan.runs.length * rows - hanging.length;
	demand(done >= sent, `${done} of ${sent} rows are done`);
	await world.end();
}
