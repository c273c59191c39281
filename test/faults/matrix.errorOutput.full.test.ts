import { testFaults } from './matrix';

testFaults('continueErrorOutput');
