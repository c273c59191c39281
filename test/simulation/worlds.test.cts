// Hundreds of worlds; worlds.full.test.cts and sendOnceWorlds.full.test.cts have thousands.
import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(120);
testWorlds.signIn(60);
testWorlds.trigger(100);
testWorlds.outage(100);
testWorlds.hanging(60);
