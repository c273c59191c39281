import { liveSignIn, signInPlans } from './signInWorld';
import { testWorlds } from './testWorlds';

testWorlds('Signing in', signInPlans, liveSignIn, 100);
