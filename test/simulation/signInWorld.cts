// Worlds in which many runs of several processes sign in to one account: tokens expire early, other sign-ins end them,
// or the password is wrong.
import fc from 'fast-check';

import { createRows, openScheduleWorld } from './scheduleWorld.cts';
import type { ServiceFault } from './service.cts';
import type { PlanOf } from './world.cts';

/** Some start after others have ended, as when n8n is restarted. */
const processes = 6;

const hour = 3_600_000;

export const signInPlans = fc.record({
	seed: fc.integer(),
	rows: fc.integer({ min: 1, max: 30 }),
	isPasswordWrong: fc.boolean(),
	/** The request at which somebody changes the password in the service. */
	passwordChangesAt: fc.option(fc.nat(60), { nil: undefined }),
	/** Milliseconds. */
	respondsWithin: fc.constantFrom(10, 3000),
	/** The number of the account's tokens alive at once. */
	tokens: fc.integer({ min: 1, max: processes }),
	/** Seconds. */
	tokenLifetime: fc.constantFrom(3600, 30),
	/** The requests at which a token ends. */
	ends: fc.array(fc.nat(60), { maxLength: 4 }),
	runs: fc.array(
		fc.record({
			process: fc.nat(processes - 1),
			at: fc.oneof(fc.nat(100), fc.nat(90_000), fc.nat(4 * hour)),
		}),
		{ minLength: 1, maxLength: 10 },
	),
	/** Milliseconds by which each process's clock is ahead. */
	clocks: fc.array(fc.nat(300_000), { minLength: processes, maxLength: processes }),
});

/**
 * Milliseconds during which no process repeats a refused sign-in (docs/reliability.md), as far as their clocks agree.
 */
const notRepeatedFor = hour - 300_000;

/** Milliseconds from reading the credential until another process can read that the sign-in was refused. */
const untilStored = 50;

/** Lives one world. @throws Error when something happens that must never happen */
export async function liveSignIn(plan: PlanOf<typeof signInPlans>): Promise<void> {
	const faults = new Map(
		plan.ends.map((request): [number, ServiceFault] => [request, 'tokenEnds']),
	);
	const manners = { ...plan, retryAfter: 1, faults };
	const account = plan.isPasswordWrong ? { password: 'wrong' } : {};
	const place = openScheduleWorld(plan.seed, processes, manners, account);
	const { world, service, running, demand } = place;
	// A token that has expired by another clock does not count.
	if (plan.isPasswordWrong)
		plan.clocks.forEach((ahead, process) => (running[process]!.clockAhead = ahead));

	// A run whose fresh tokens are refused one after the other stops signing in.
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

	const refused = service.signIns.filter(({ isRefused }) => isRefused);
	let first = refused[0];
	for (const [index, signIn] of refused.entries()) {
		const after = signIn.at - first!.at;
		if (after >= notRepeatedFor) first = signIn;
		// Nothing keeps processes from signing in at the same moment, each of them once.
		const isAtOnce = after < untilStored;
		const isSameProcess = refused
			.slice(0, index)
			.some(({ process, at }) => process === signIn.process && signIn.at - at < notRepeatedFor);
		demand(
			(first === signIn || isAtOnce) && !isSameProcess,
			`a wrong password is sent again after ${after} ms`,
		);
	}
	// Requests in progress when a token ends are refused; with a fresh one, each is tried three times.
	const mostRefused = service.ended * plan.rows * plan.runs.length * 3;
	demand(service.refusedTokens <= mostRefused, `${service.refusedTokens} with ended tokens`);
	const mostSignIns = processes + 2 * (plan.ends.length + plan.runs.length);
	if (!plan.isPasswordWrong && plan.passwordChangesAt === undefined)
		demand(service.signIns.length <= mostSignIns, `${service.signIns.length} sign-ins`);
	await world.end();
}
