// Worlds in which the service fails for a while, or for good, while several runs of two processes create rows: it answers
// that it is too busy or that a quota is used up, with a time to wait or without, or cannot be reached.
import fc from 'fast-check';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { Execution, type Environment } from './execution';
import { N8nProcess } from './n8nProcess';
import { usualAccount, type OutageAnswer } from './service';
import { ShiftSchedules } from './shiftSchedules';
import { SimulatedStore } from './store';
import { World } from './world';

export interface OutagePlan {
	seed: number;
	rows: number;
	/** Milliseconds. */
	answersWithin: number;
	/** The settings of these names. */
	parallelRequests: number;
	maxTries: number;
	maxWait: number;
	/** Milliseconds; without an end, it lasts for ever. */
	outage: { from: number; lasts?: number };
	answer: OutageAnswer;
	runs: Array<{ process: number; at: number }>;
}

const processes = 2;

const quota = { statusCode: 403, message: 'Out of call volume quota.' };

const refusals: fc.Arbitrary<OutageAnswer> = fc.oneof(
	fc.record({ status: fc.constantFrom(429, 503), retryAfter: fc.constantFrom(0, 1, 1.5, 4, 3600) }),
	fc.record({ status: fc.constant(429) }),
	fc.record({
		status: fc.constant(403),
		retryAfter: fc.constantFrom(undefined, 1, 7, 3600),
		json: fc.constant(quota),
	}),
	fc.constant<OutageAnswer>('ECONNREFUSED'),
);
const doubts: fc.Arbitrary<OutageAnswer> = fc.constantFrom<OutageAnswer>(
	{ status: 503 },
	'ECONNRESET',
);

export const outagePlans: fc.Arbitrary<OutagePlan> = fc.record({
	seed: fc.integer(),
	rows: fc.constantFrom(1, 12, 150),
	answersWithin: fc.constantFrom(20, 400),
	parallelRequests: fc.constantFrom(1, 16, 256),
	maxTries: fc.constantFrom(1, 4),
	maxWait: fc.constantFrom(0, 5, 60),
	outage: fc.record({
		from: fc.constantFrom(0, 300, 2000),
		lasts: fc.option(fc.constantFrom(500, 20_000, 200_000), { nil: undefined }),
	}),
	answer: fc.oneof({ weight: 3, arbitrary: refusals }, doubts),
	runs: fc.array(
		fc.record({
			process: fc.nat({ max: processes - 1 }),
			at: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 30_000 })),
		}),
		{ minLength: 1, maxLength: 3 },
	),
});

/** Milliseconds that a run may take beside its waits. */
const timeToWork = 20_000;

/** Writes that are under way at most while it is not known whether the service answers. */
const mostUntested = 48;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveOutage(plan: OutagePlan): Promise<void> {
	const { rows, answer, maxWait, maxTries, parallelRequests } = plan;
	const { from, lasts = Infinity } = plan.outage;
	const world = new World(plan.seed);
	const service = new ShiftSchedules(world, {
		...usualAccount,
		answersWithin: plan.answersWithin,
		tokens: processes,
		retryAfter: 1,
		faults: new Map(),
		outage: { from, until: from + lasts, answer },
	});
	const environment: Environment = {
		store: new SimulatedStore(world),
		service,
		credential: sandboxCredential('https://service.example', { grantType: 'password' }),
	};
	const running = Array.from({ length: processes }, (_, at) => new N8nProcess(world, `n8n ${at}`));
	const demand = (isSo: boolean, law: string) => world.demand(isSo, law);
	// Nothing was processed by a service that cannot be reached, or that says when to come again.
	const isClear =
		answer === 'ECONNREFUSED' ||
		(typeof answer !== 'string' && (answer.status !== 503 || answer.retryAfter !== undefined));

	const liveRun = async ({ process, at }: OutagePlan['runs'][number], run: number) => {
		await world.pause(at);
		const names = Array.from({ length: rows }, (_, row) => `run ${run} row ${row}`);
		const execution = new Execution(running[process]!, environment, {
			names,
			withoutKey: true,
			options: { parallelRequests, maxTries, maxWait },
		});
		await execution.run();
		const took = world.now - Math.max(from, at);
		if (lasts === Infinity)
			demand(
				took < maxWait * 1000 + timeToWork,
				`a run ends after Max Wait: ${Math.round(took)} ms`,
			);
		demand(execution.outcomes.size === rows, 'each row has an item');
		for (const [name, json] of execution.outcomes) {
			const isDone = !('error' in json);
			const said = JSON.stringify(json);
			const isInDoubt = said.includes('"outcome":"unknown"');
			demand(isDone || isInDoubt || /"outcome":"(refused|notSent)"/.test(said), `${name}: ${said}`);
			demand(!(isClear && isInDoubt), `what was not processed is in doubt: ${said}`);
			demand(service.count(name) === (isDone ? 1 : 0), `${name}: ${service.count(name)} times`);
		}
	};
	await world.until(Promise.all(plan.runs.map(liveRun)));

	// What is under way when it begins, some more until few are, and then one after each wait; where the service names no
	// time, waits grow.
	const wait = (typeof answer !== 'string' && answer.retryAfter) || 6;
	const mostOfRun = (from === 0 ? 10 : mostUntested) + 10 + Math.min(maxWait, lasts / 1000) / wait;
	const most = plan.runs.length * mostOfRun;
	demand(
		service.requestsInOutage <= most,
		`${service.requestsInOutage} requests to a dead service`,
	);
	await world.end();
}
