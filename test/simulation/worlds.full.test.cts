// Thousands of worlds. The worlds of Send Once take as long as all these, so they run in parallel.
import { testWorlds } from './testWorlds.cts';

testWorlds.signIn(600);
testWorlds.trigger(1000);
testWorlds.outage(1000);
testWorlds.hanging(600);
