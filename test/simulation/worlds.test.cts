// A few worlds of each kind; worlds.full.test.cts and sendOnceWorlds.full.test.cts have thousands.
import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(10);
testWorlds.nights(30);
testWorlds.signIn(6);
testWorlds.trigger(8);
testWorlds.outage(8);
testWorlds.hanging(5);
