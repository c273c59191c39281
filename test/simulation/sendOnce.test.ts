// Send Once, in simulated worlds.
import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { testWorlds } from './testWorlds';

testWorlds(sendOncePlans, liveSendOnce);
