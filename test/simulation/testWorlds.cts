// Runs the worlds: WORLDS sets their number, SEED selects others. A failure is shown as the plan and the story of the
// smallest failing world; PLAN runs that one again.
import fc from 'fast-check';

import { hangingPlans, liveHanging, liveOutage, outagePlans } from './outageWorld.cts';
import { liveNights, nightPlans } from './nightWorld.cts';
import { liveSendOnce, sendOncePlans } from './sendOnceWorld.cts';
import { liveSignIn, signInPlans } from './signInWorld.cts';
import { liveTrigger, triggerPlans } from './triggerWorld.cts';

const { SEED, WORLDS, PLAN } = process.env;

/** Milliseconds spent on finding a smaller world that also fails. A world that never ends takes long. */
const timeToShrink = 20_000;

function testKind<Plan>(
	name: string,
	plans: fc.Arbitrary<Plan>,
	live: (plan: Plan) => Promise<void>,
): (count: number) => void {
	const isFresh = SEED === 'fresh';
	const seed = isFresh ? Date.now() % 1_000_000 : Number(SEED ?? 1);
	return (count) => {
		const worlds = Number(WORLDS ?? count * (isFresh ? 2.5 : 1));
		const liveAll = async () => {
			if (PLAN !== undefined) return await live(JSON.parse(PLAN) as Plan);
			let shrinksUntil = Infinity;
			const shrinking = async (plan: Plan) => {
				if (Date.now() > shrinksUntil) return;
				await live(plan).catch((error: Error) => {
					shrinksUntil = Math.min(shrinksUntil, Date.now() + timeToShrink);
					throw error;
				});
			};
			await fc.assert(fc.asyncProperty(plans, shrinking), { seed, numRuns: worlds });
		};
		test(`${name}: ${worlds} worlds, SEED=${seed}`, liveAll, 60_000 + 2000 * worlds);
	};
}

/** Each takes the number of worlds if WORLDS is not set; with fresh seeds there are more. */
export const testWorlds = {
	sendOnce: testKind('Send Once', sendOncePlans, liveSendOnce),
	nights: testKind('Nights of a sheet', nightPlans, liveNights),
	signIn: testKind('Signing in', signInPlans, liveSignIn),
	trigger: testKind('The trigger', triggerPlans, liveTrigger),
	outage: testKind('An outage', outagePlans, liveOutage),
	hanging: testKind('Requests that hang', hangingPlans, liveHanging),
};
