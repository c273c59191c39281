// `npm run test:endurance -- trigger`: nights of 1,000 edits and 50 polls; SEEDS, EDITS and POLLS change their size.
import { spend } from './night.mts';

const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number);
const edits = Number(process.env.EDITS ?? 1000);
const polls = Number(process.env.POLLS ?? 50);

for (const seed of seeds) {
	const morning = await spend({ seed, edits, polls });
	console.log(`seed ${seed}, ${edits} edits, ${polls} polls:`, morning);
	if (morning.missed > 0 || morning.unexplained > 0) process.exitCode = 1;
}
