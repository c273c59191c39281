// How many worlds are lived, and which: WORLDS sets how many, SEED gives other ones. What fails is shown as the plan of the
// smallest world that fails; PLAN lives one again.
import fc from 'fast-check';

const seed = Number(process.env.SEED ?? 1);
const worlds = Number(process.env.WORLDS ?? 250);

export function testWorlds<Plan>(
	plans: fc.Arbitrary<Plan>,
	live: (plan: Plan) => Promise<void>,
): void {
	test(`${worlds} worlds, seed ${seed}`, async () => {
		await fc.assert(fc.asyncProperty(plans, live), { seed, numRuns: worlds });
	}, 3_600_000);
}
