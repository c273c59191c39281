import { testProperties } from './properties.cts';

testProperties(60);
