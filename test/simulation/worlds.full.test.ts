// Thousands of worlds.
import { liveOutage, outagePlans } from './outageWorld';
import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { liveSignIn, signInPlans } from './signInWorld';
import { testWorlds } from './testWorlds';
import { liveTrigger, triggerPlans } from './triggerWorld';

testWorlds('Send Once', sendOncePlans, liveSendOnce, 2500);
testWorlds('Signing in', signInPlans, liveSignIn, 600);
testWorlds('The trigger', triggerPlans, liveTrigger, 1000);
testWorlds('An outage', outagePlans, liveOutage, 1000);
