// Worlds in which many runs of several processes sign in to one account: tokens end early, other sign-ins end them, or the
// password is wrong.
import fc from 'fast-check';

import { createRows, openScheduleWorld } from './scheduleWorld';
import type { ServiceFault } from './service';
import type { PlanOf } from './world';

const processes = 3;

export const signInPlans = fc.record({
	seed: fc.integer(),
	rows: fc.integer({ min: 1, max: 30 }),
	isPasswordWrong: fc.boolean(),
	/** The request at which somebody changes the password in the service. */
	passwordChangesAt: fc.option(fc.nat(60), { nil: undefined }),
	/** Milliseconds. */
	answersWithin: fc.constantFrom(10, 3000),
	/** How many of the account live at once. */
	tokens: fc.integer({ min: 1, max: 3 }),
	/** Seconds. */
	tokenLifetime: fc.constantFrom(3600, 30),
	/** The requests at which a token ends. */
	ends: fc.array(fc.nat(60), { maxLength: 4 }),
	runs: fc.array(
		fc.record({ process: fc.nat(processes - 1), at: fc.oneof(fc.nat(100), fc.nat(90_000)) }),
		{ minLength: 1, maxLength: 6 },
	),
});

/** Milliseconds for which a refused sign-in is not repeated (docs/security.md). */
const notRepeatedFor = 60_000;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveSignIn(plan: PlanOf<typeof signInPlans>): Promise<void> {
	const faults = new Map(
		plan.ends.map((request): [number, ServiceFault] => [request, 'tokenEnds']),
	);
	const manners = { ...plan, retryAfter: 1, faults };
	const account = plan.isPasswordWrong ? { password: 'wrong' } : {};
	const place = openScheduleWorld(plan.seed, processes, manners, account);
	const { world, service, running, demand } = place;

	// Who has had one fresh token after the other refused does not go on signing in.
	const isCalm =
		plan.passwordChangesAt === undefined &&
		plan.ends.length < 2 &&
		plan.tokens === processes &&
		plan.tokenLifetime > 1000;
	const lives = plan.runs.map((planned, run) =>
		createRows(place, planned, { run, rows: plan.rows }, ({ isDone, isInDoubt, said }) => {
			demand(!(isDone && plan.isPasswordWrong), said);
			demand(isDone || plan.isPasswordWrong || !isCalm, said);
			demand(!isInDoubt, said);
		}),
	);
	await world.until(Promise.all(lives));

	for (const process of running) {
		const refused = service.signIns.filter((each) => each.process === process && each.isRefused);
		const gaps = refused.slice(1).map(({ at }, before) => at - refused[before]!.at);
		demand(
			gaps.every((gap) => gap >= notRepeatedFor),
			`a wrong password is sent again after ${Math.min(...gaps)} ms`,
		);
	}
	// What is in progress when a token ends comes back; with a fresh one, each request is tried three times.
	const mostRefused = service.ended * plan.rows * plan.runs.length * 3;
	demand(service.refusedTokens <= mostRefused, `${service.refusedTokens} with ended tokens`);
	const mostSignIns = processes + 2 * (plan.ends.length + plan.runs.length);
	if (!plan.isPasswordWrong && plan.passwordChangesAt === undefined)
		demand(service.signIns.length <= mostSignIns, `${service.signIns.length} sign-ins`);
	await world.end();
}
