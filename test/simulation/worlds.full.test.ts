// Thousands of worlds.
import { liveOutage, outagePlans } from './outageWorld';
import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { liveSignIn, signInPlans } from './signInWorld';
import { testWorlds } from './testWorlds';
import { liveTrigger, triggerPlans } from './triggerWorld';

testWorlds('Send Once', sendOncePlans, liveSendOnce, 6000);
testWorlds('Signing in', signInPlans, liveSignIn, 1500);
testWorlds('The trigger', triggerPlans, liveTrigger, 2500);
testWorlds('An outage', outagePlans, liveOutage, 2500);
