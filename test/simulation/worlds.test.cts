// A few worlds of each kind; worlds.full.test.cts and sendOnceWorlds.full.test.cts have thousands.
import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(40);
testWorlds.signIn(20);
testWorlds.trigger(30);
testWorlds.outage(30);
testWorlds.hanging(20);
