import { testFaults } from './matrix';

testFaults('stopWorkflow');
