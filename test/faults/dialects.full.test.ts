// Every operation in 400 random mixtures of dialects.
import { dialectNames, randomDialects } from '../../sandbox/dialects.mts';
import { useDialects } from './dialects';

const judge = useDialects();
/** A quota that is used up ends a run, which tests of the gateway show. */
const mixed = dialectNames.filter((name) => name !== 'quota');
const seeds = Array.from({ length: Number(process.env.MIXTURES ?? 400) }, (_, seed) => seed);

test.each(seeds)('mixture %d', async (seed) => {
	const { problems } = await judge(randomDialects(seed, 0.15, mixed));
	expect(problems).toEqual([]);
});
