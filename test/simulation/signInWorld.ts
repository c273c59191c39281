// Worlds in which many runs of several processes sign in to one account: tokens end early, other sign-ins end them, or the
// password is wrong.
import fc from 'fast-check';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { Execution, type Environment } from './execution';
import { N8nProcess } from './n8nProcess';
import { usualAccount, type ServiceFault } from './service';
import { ShiftSchedules } from './shiftSchedules';
import { SimulatedStore } from './store';
import { World } from './world';

export interface SignInPlan {
	seed: number;
	rows: number;
	isPasswordWrong: boolean;
	/** The request at which somebody changes the password in the service. */
	passwordChangesAt?: number;
	/** Milliseconds. */
	answersWithin: number;
	/** How many of the account live at once. */
	tokens: number;
	/** Seconds. */
	tokenLifetime: number;
	/** The requests at which a token ends. */
	ends: number[];
	runs: Array<{ process: number; at: number }>;
}

const processes = 3;

const upTo = (max: number): fc.Arbitrary<number> => fc.nat({ max });

export const signInPlans: fc.Arbitrary<SignInPlan> = fc.record({
	seed: fc.integer(),
	rows: fc.integer({ min: 1, max: 30 }),
	isPasswordWrong: fc.boolean(),
	passwordChangesAt: fc.option(upTo(60), { nil: undefined }),
	answersWithin: fc.constantFrom(10, 3000),
	tokens: fc.integer({ min: 1, max: 3 }),
	tokenLifetime: fc.constantFrom(3600, 30),
	ends: fc.array(upTo(60), { maxLength: 4 }),
	runs: fc.array(
		fc.record({ process: upTo(processes - 1), at: fc.oneof(upTo(100), upTo(90_000)) }),
		{ minLength: 1, maxLength: 6 },
	),
});

/** Milliseconds for which a refused sign-in is not repeated (docs/security.md). */
const notRepeatedFor = 60_000;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveSignIn(plan: SignInPlan): Promise<void> {
	const world = new World(plan.seed);
	const service = new ShiftSchedules(world, {
		...usualAccount,
		...plan,
		retryAfter: 1,
		faults: new Map(plan.ends.map((request): [number, ServiceFault] => [request, 'tokenEnds'])),
	});
	const environment: Environment = {
		store: new SimulatedStore(world),
		service,
		credential: sandboxCredential('https://service.example', {
			grantType: 'password',
			...(plan.isPasswordWrong && { password: 'wrong' }),
		}),
	};
	const running = Array.from({ length: processes }, (_, at) => new N8nProcess(world, `n8n ${at}`));
	const demand = (isSo: boolean, law: string) => world.demand(isSo, law);

	// Who has had one fresh token after the other refused does not go on signing in.
	const isCalm =
		plan.passwordChangesAt === undefined &&
		plan.ends.length < 2 &&
		plan.tokens === processes &&
		plan.tokenLifetime > 1000;
	const liveRun = async ({ process, at }: SignInPlan['runs'][number], run: number) => {
		await world.pause(at);
		const names = Array.from({ length: plan.rows }, (_, row) => `run ${run} row ${row}`);
		const execution = new Execution(running[process]!, environment, { names, withoutKey: true });
		await execution.run();
		for (const [name, json] of execution.outcomes) {
			const isDone = !('error' in json);
			const said = JSON.stringify(json);
			demand(!(isDone && plan.isPasswordWrong), `${name}: ${said}`);
			demand(isDone || plan.isPasswordWrong || !isCalm, `${name}: ${said}`);
			demand(isDone || /"outcome":"(refused|notSent)"/.test(said), `${name}: ${said}`);
			demand(service.count(name) === (isDone ? 1 : 0), `${name}: ${service.count(name)} times`);
		}
		demand(execution.outcomes.size === plan.rows, 'each row has an item');
	};
	await world.until(Promise.all(plan.runs.map(liveRun)));

	for (const process of running) {
		const refused = service.signIns.filter((each) => each.process === process && each.isRefused);
		const gaps = refused.slice(1).map(({ at }, before) => at - refused[before]!.at);
		demand(
			gaps.every((gap) => gap >= notRepeatedFor),
			`a wrong password is sent again after ${Math.min(...gaps)} ms`,
		);
	}
	// What is under way when a token ends comes back; with a fresh one, each request is tried three times.
	const mostRefused = service.ended * plan.rows * plan.runs.length * 3;
	demand(service.refusedTokens <= mostRefused, `${service.refusedTokens} with ended tokens`);
	const mostSignIns = processes + 2 * (plan.ends.length + plan.runs.length);
	if (!plan.isPasswordWrong && plan.passwordChangesAt === undefined)
		demand(service.signIns.length <= mostSignIns, `${service.signIns.length} sign-ins`);
	await world.end();
}
