// The trigger, in simulated worlds.
import { testWorlds } from './testWorlds';
import { liveTrigger, triggerPlans } from './triggerWorld';

testWorlds(triggerPlans, liveTrigger);
