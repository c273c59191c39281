// A few worlds of each kind; worlds.full.test.cts and sendOnceWorlds.full.test.cts have thousands.
import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(20);
testWorlds.nights(40);
testWorlds.signIn(10);
testWorlds.trigger(15);
testWorlds.outage(15);
testWorlds.hanging(10);
