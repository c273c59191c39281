// Send Once, in simulated worlds. SEED gives other ones, WORLDS more of them.
import fc from 'fast-check';

import { liveSendOnce, sendOncePlans } from './sendOnceWorld';

const seed = Number(process.env.SEED ?? 1);
const worlds = Number(process.env.WORLDS ?? 500);

test(`${worlds} worlds, seed ${seed}`, async () => {
	await fc.assert(fc.asyncProperty(sendOncePlans, liveSendOnce), { seed, numRuns: worlds });
}, 3_600_000);
