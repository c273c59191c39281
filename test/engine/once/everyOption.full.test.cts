import { testEveryOption } from './everyOption.cts';

testEveryOption(true);
