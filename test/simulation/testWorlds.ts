// How many worlds are lived, and which: WORLDS sets how many, SEED gives other ones. What fails is shown as the plan and
// the story of the smallest world that fails; with PLAN, that one is lived again.
import fc from 'fast-check';

import { liveOutage, outagePlans } from './outageWorld';
import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { liveSignIn, signInPlans } from './signInWorld';
import { liveTrigger, triggerPlans } from './triggerWorld';

const { SEED, WORLDS, PLAN } = process.env;

function testKind<Plan>(
	name: string,
	plans: fc.Arbitrary<Plan>,
	live: (plan: Plan) => Promise<void>,
	count: number,
): void {
	const worlds = Number(WORLDS ?? count);
	const seed = SEED === 'fresh' ? Date.now() % 1_000_000 : Number(SEED ?? 1);
	test(`${name}: ${worlds} worlds, SEED=${seed}`, async () => {
		if (PLAN !== undefined) return await live(JSON.parse(PLAN) as Plan);
		await fc.assert(fc.asyncProperty(plans, live), { seed, numRuns: worlds });
	}, 3_600_000);
}

/** @param counts how many worlds there are of each kind, without WORLDS */
export function testWorlds(counts: Record<'sendOnce' | 'signIn' | 'trigger' | 'outage', number>) {
	testKind('Send Once', sendOncePlans, liveSendOnce, counts.sendOnce);
	testKind('Signing in', signInPlans, liveSignIn, counts.signIn);
	testKind('The trigger', triggerPlans, liveTrigger, counts.trigger);
	testKind('An outage', outagePlans, liveOutage, counts.outage);
}
