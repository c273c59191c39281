// Signing in, in simulated worlds.
import { liveSignIn, signInPlans } from './signInWorld';
import { testWorlds } from './testWorlds';

testWorlds(signInPlans, liveSignIn);
