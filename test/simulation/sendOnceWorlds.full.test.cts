import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(1500);
testWorlds.nights(3000);
