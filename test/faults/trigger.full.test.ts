// A short night for the trigger; `npm run test:endurance -- trigger` spends longer ones.
import { spend } from './trigger/night.mts';

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

test('edits, faults and kills: no change is missed, and none comes twice without a restart', async () => {
	console.log(`seed ${seed}; SEED=${seed} repeats the run`);
	const morning = await spend({ seed, edits: 120, polls: 12 });
	expect(morning).toMatchObject({ missed: 0, unexplained: 0 });
	expect(morning.given).toBeGreaterThan(0);
});
