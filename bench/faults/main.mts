// `npm run bench -- faults` creates records while the service is faulty, and prints which records the service then holds
// and what the node reports of them: for this package beside n8n's HTTP Request node, and for this package with few and
// with many requests at once. SEEDS (1,2,3) and ROWS (5000) set how much it does.
import { setTimeout as delay } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import { mixedFaults } from '../../sandbox/mixedFaults.mts';
import { httpRequest, ours } from '../goals.mts';
import { runWithFaults, type FaultRun, type FaultRunVariant } from './faultRun.mts';

const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number);
const rows = Number(process.env.ROWS ?? 5000);

const continueOnError: Partial<INode> = { onError: 'continueRegularOutput' };
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const both = [ours, httpRequest];
const variants: FaultRunVariant[] = [
	...both.map((variant) => ({ name: variant, variant, nodeSettings: continueOnError })),
	...both.map((variant) => ({
		name: `${variant}, Retry On Fail × 3`,
		variant,
		nodeSettings: retryOnFail,
	})),
];
const parallelVariants: FaultRunVariant[] = [32, 256].map((parallelRequests) => ({
	name: `${ours}, ${parallelRequests} at once`,
	variant: ours,
	nodeSettings: continueOnError,
	options: { parallelRequests },
}));

/** Without answers that are cut off, since the HTTP Request node can wait for the rest of such an answer forever. */
const faultsWithoutCutOff = mixedFaults.filter(({ fault }) => fault !== 'cutOff');

/** Milliseconds before each answer. Without a delay, few requests would be in flight at once. */
const latency = 100;

const scenarios: Array<{
	title: string;
	variants: FaultRunVariant[];
	conditions: Omit<FaultRun, 'seed' | 'rows'>;
}> = [
	{ title: '15 of 100 requests go wrong', variants, conditions: { faults: faultsWithoutCutOff } },
	{
		title: `15 of 100 requests go wrong, answers after ${latency} ms`,
		variants: parallelVariants,
		conditions: { faults: mixedFaults, latency },
	},
	{
		title: `From the middle on all answers are lost, answers after ${latency} ms`,
		variants: parallelVariants,
		conditions: { faults: [], latency, answersLostAfter: Math.floor(rows / 2) },
	},
];
for (const { title, variants: compared, conditions } of scenarios) {
	for (const seed of seeds) {
		for (const variant of compared) {
			console.log(
				`${title}, seed ${seed}, ${variant.name}:`,
				await runWithFaults(variant, { seed, rows, ...conditions }),
			);
		}
	}
}
/** The last scenario shows which node does not end when answers are cut off. */
const secondsToWait = 60;
for (const variant of variants.slice(0, 2)) {
	const end = await Promise.race([
		runWithFaults(variant, { seed: 1, rows, faults: mixedFaults }).then(() => 'ended'),
		delay(secondsToWait * 1000, `has not ended after ${secondsToWait} s`, { ref: false }),
	]);
	console.log(`With answers that break off, ${variant.name}: ${end}`);
}
process.exit();
