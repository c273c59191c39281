// Every operation × every way of every dialect alone.
import { dialectNames, waysOf } from '../../sandbox/dialects.mts';
import { useDialects, type Verdict } from './dialects';

const judge = useDialects();
const verdicts: Verdict[] = [];
afterAll(() => {
	const sum = (count: (verdict: Verdict) => number) =>
		verdicts.reduce((total, verdict) => total + count(verdict), 0);
	console.log(
		`${sum(({ cases }) => cases)} cases: ${sum(({ said }) => said)} times the setting that fits, ${sum(({ problems }) => problems.length)} problems`,
	);
});

const ways = dialectNames.flatMap((name) => waysOf(name).map((way) => [name, way] as const));

test.each(ways)('%s=%s', async (name, way) => {
	const verdict = await judge({ [name]: way });
	verdicts.push(verdict);
	expect(verdict.problems).toEqual([]);
});
