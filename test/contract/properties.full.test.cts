import { testProperties } from './properties.cts';

testProperties(30);
