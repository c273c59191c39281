// Hundreds of worlds; worlds.full.test.ts and sendOnceWorlds.full.test.ts have thousands.
import { testWorlds } from './testWorlds';

testWorlds.sendOnce(120);
testWorlds.signIn(60);
testWorlds.trigger(100);
testWorlds.outage(100);
