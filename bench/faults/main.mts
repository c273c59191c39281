// What the agency's books hold, and what a node says of it, after nights on which much went wrong: our node beside
// n8n's HTTP Request node, and with more and fewer requests at once. `npm run bench -- faults`; SEEDS and ROWS change
// its size.
import { setTimeout as delay } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import { mixedFaults } from '../../sandbox/mixedFaults.mts';
import { httpRequest, ours } from '../names.mts';
import { spend, type Night, type Way } from './night.mts';

const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number);
const rows = Number(process.env.ROWS ?? 5000);

const goOn: Partial<INode> = { onError: 'continueRegularOutput' };
const again: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const both = [ours, httpRequest];
const ways: Way[] = [
	...both.map((way) => ({ name: way, way, node$: goOn })),
	...both.map((way) => ({ name: `${way}, Retry On Fail × 3`, way, node$: again })),
];
const widths: Way[] = [32, 256].map((parallelRequests) => ({
	name: `${ours}, ${parallelRequests} at once`,
	way: ours,
	node$: goOn,
	options: { parallelRequests },
}));

/** The HTTP Request node waits for ever for an answer that broke off before it came to read it. */
const survivable = mixedFaults.filter(({ fault }) => fault !== 'cutOff');

/** Milliseconds; with an answer at once there would be few under way. */
const latency = 100;

const nights: Array<{ title: string; ways: Way[]; night: Omit<Night, 'seed' | 'rows'> }> = [
	{ title: '15 of 100 requests go wrong', ways, night: { faults: survivable } },
	{
		title: `15 of 100 requests go wrong, answers after ${latency} ms`,
		ways: widths,
		night: { faults: mixedFaults, latency },
	},
	{
		title: `From the middle on all answers are lost, answers after ${latency} ms`,
		ways: widths,
		night: { faults: [], latency, answersLostAfter: Math.floor(rows / 2) },
	},
];
for (const { title, ways: compared, night } of nights) {
	for (const seed of seeds) {
		for (const way of compared) {
			console.log(
				`${title}, seed ${seed}, ${way.name}:`,
				await spend(way, { seed, rows, ...night }),
			);
		}
	}
}
const patience = 60;
for (const way of ways.slice(0, 2)) {
	const end = await Promise.race([
		spend(way, { seed: 1, rows, faults: mixedFaults }).then(() => 'ended'),
		delay(patience * 1000, `has not ended after ${patience} s`, { ref: false }),
	]);
	console.log(`With answers that break off, ${way.name}: ${end}`);
}
process.exit();
