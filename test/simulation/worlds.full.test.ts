// Thousands of worlds; with fresh seeds, as `npm run test:worlds` lives them, more than twice as many.
import { liveOutage, outagePlans } from './outageWorld';
import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { liveSignIn, signInPlans } from './signInWorld';
import { testWorlds } from './testWorlds';
import { liveTrigger, triggerPlans } from './triggerWorld';

const times = process.env.SEED === 'fresh' ? 2.5 : 1;

testWorlds('Send Once', sendOncePlans, liveSendOnce, 2400 * times);
testWorlds('Signing in', signInPlans, liveSignIn, 600 * times);
testWorlds('The trigger', triggerPlans, liveTrigger, 1000 * times);
testWorlds('An outage', outagePlans, liveOutage, 1000 * times);
