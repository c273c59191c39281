import { testWorlds } from './testWorlds';

testWorlds.sendOnce(2400);
