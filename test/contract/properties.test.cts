// A few records of each operation; properties.full.test.cts has more.
import { testProperties } from './properties.cts';

testProperties(8);
