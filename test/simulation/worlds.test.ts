// Hundreds of worlds; worlds.full.test.ts has thousands.
import { testWorlds } from './testWorlds';

testWorlds({ sendOnce: 250, signIn: 100, trigger: 150, outage: 150 });
