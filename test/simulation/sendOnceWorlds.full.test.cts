import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(1500);
