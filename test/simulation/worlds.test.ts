// Hundreds of worlds; worlds.full.test.ts has thousands.
import { testWorlds } from './testWorlds';

testWorlds({ sendOnce: 120, signIn: 60, trigger: 100, outage: 100 });
