import { testInputs } from './fuzz';

testInputs(100);
