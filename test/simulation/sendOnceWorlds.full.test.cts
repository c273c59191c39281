import { testWorlds } from './testWorlds.cts';

testWorlds.sendOnce(2400);
