import { liveSendOnce, sendOncePlans } from './sendOnceWorld';
import { testWorlds } from './testWorlds';

testWorlds('Send Once', sendOncePlans, liveSendOnce, 250);
