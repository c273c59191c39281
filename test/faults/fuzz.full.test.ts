import { testInputs } from './fuzz';

testInputs(2000);
