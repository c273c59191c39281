// Thousands of worlds; those of Send Once take as long as all these, and run beside them.
import { testWorlds } from './testWorlds.cts';

testWorlds.signIn(600);
testWorlds.trigger(1000);
testWorlds.outage(1000);
