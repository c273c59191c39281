// Thousands of worlds; with fresh seeds, as `npm run test:worlds` lives them, more than twice as many.
import { testWorlds } from './testWorlds';

const times = process.env.SEED === 'fresh' ? 2.5 : 1;

testWorlds({
	sendOnce: 2400 * times,
	signIn: 600 * times,
	trigger: 1000 * times,
	outage: 1000 * times,
});
