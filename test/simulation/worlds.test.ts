// Hundreds of worlds; worlds.full.test.ts has thousands.
import { liveOutage, outagePlans } from './outageWorld';
import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { liveSignIn, signInPlans } from './signInWorld';
import { testWorlds } from './testWorlds';
import { liveTrigger, triggerPlans } from './triggerWorld';

testWorlds('Send Once', sendOncePlans, liveSendOnce, 250);
testWorlds('Signing in', signInPlans, liveSignIn, 100);
testWorlds('The trigger', triggerPlans, liveTrigger, 150);
testWorlds('An outage', outagePlans, liveOutage, 150);
