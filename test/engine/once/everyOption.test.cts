// A third of all cases; everyOption.full.test.cts has the others.
import { testEveryOption } from './everyOption.cts';

testEveryOption(false);
