// A process that sends rows with keys is killed at each of the worst moments, and at random ones.
// KILLS is how many random moments; SEED repeats them.
import { seededRandom } from '../../sandbox/random.mts';
import type { Death } from '../harness/worker.mts';
import { mostInDoubt, rows, useNights, type Killing, type NightResult } from './kills';

const kills = Number(process.env.KILLS ?? 5);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));

const { night, note } = useNights(seed);
const noteResult = (moment: string, { doubled, lost, inDoubt }: NightResult) =>
	note(`${moment}: doubled ${doubled}, lost ${lost}, in doubt ${inDoubt} of ${rows}`);

test.each<[string, Death]>([
	['before anything is noted', { kind: 'record', call: 1, written: false }],
	['noted, and nothing sent', { kind: 'record', call: 1, written: true }],
	['the next rows noted', { kind: 'record', call: 2, written: true }],
	['answered, and not noted as done', { kind: 'remove', call: 1, written: false }],
	['noted as done', { kind: 'remove', call: 1, written: true }],
])('killed: %s', async (moment, death) => {
	const result = await night(moment, { death });
	noteResult(moment, result);
	expect(result).toMatchObject({ died: true, doubled: 0, lost: 0 });
	expect(result.inDoubt).toBeLessThanOrEqual(mostInDoubt);
});

/** As many nights, one after the other; a machine that is busy with other things takes its time over them. */
const longest = 120_000 * (1 + kills);

test(
	`killed at ${kills} random moments (seed ${seed})`,
	async () => {
		const dice = seededRandom(seed);
		const all: NightResult[] = [];
		for (let round = 0; round < kills; round++) {
			const request = 1 + Math.floor(dice() * rows);
			const kill: Killing['onArrival'] = (count, worker) => count === request && worker.kill();
			const killing: Killing = dice() < 0.5 ? { onAnswer: kill } : { onArrival: kill };
			all.push(await night(`random ${round}`, killing));
		}
		const sum = (of: (result: NightResult) => number) =>
			all.reduce((total, result) => total + of(result), 0);
		const total = {
			died: sum(({ died }) => Number(died)),
			doubled: sum(({ doubled }) => doubled),
			lost: sum(({ lost }) => lost),
		};
		const inDoubt = sum((result) => result.inDoubt);
		const most = Math.max(...all.map((result) => result.inDoubt));
		note(
			`${total.died} random kills: doubled ${total.doubled}, lost ${total.lost}, in doubt ${inDoubt} of ${rows * kills}, ${most} at most`,
		);
		expect(total).toMatchObject({ doubled: 0, lost: 0 });
		expect(total.died).toBeGreaterThan(0);
		expect(most).toBeLessThanOrEqual(mostInDoubt);
	},
	longest,
);
