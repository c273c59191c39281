import { testWorlds } from './testWorlds';
import { liveTrigger, triggerPlans } from './triggerWorld';

testWorlds('The trigger', triggerPlans, liveTrigger, 150);
