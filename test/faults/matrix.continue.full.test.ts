import { testFaults } from './matrix';

testFaults('continueRegularOutput');
