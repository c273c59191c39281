// A process of n8n is killed while it sends rows that have keys, at each of the worst moments and at random ones;
// then the next schedule sends the same rows again. Needs the built package.
// KILLS is how many random moments; SEED repeats them.
import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { nodeName, storeWith, workflowOf } from '../../runner/oneNode.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { seededRandom } from '../../sandbox/random.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { startWorkers, type Worker, type Workers } from '../harness/workers.mts';
import type { Death } from '../harness/worker.mts';

const kills = Number(process.env.KILLS ?? 5);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const rows = 120;
/** The killed process is dead for sure, so the next one need not wait as long to find that out. */
const waitingTimes = { nobodySendsAfter: 200, holderIsDeadAfter: 200, breakSpread: 200 };
/** Milliseconds. */
const longestLatency = 40;

let sandbox: Sandbox;
let team: Workers;
/** Called with the count of creates that have arrived, and that were answered. */
let onArrival: (count: number) => void = () => {};
let onAnswer: (count: number) => void = () => {};
let arrived = 0;
let answered = 0;
beforeAll(async () => {
	sandbox = await startSandbox({
		seed,
		latencySpread: longestLatency,
		onArrival(operation) {
			if (operation === 'createShiftSchedule') onArrival(++arrived);
		},
		onDone(operation) {
			if (operation === 'createShiftSchedule') onAnswer(++answered);
		},
	});
	team = await startWorkers(1, storeWith(sandboxCredential(sandbox.url)));
});
afterAll(() => Promise.all([team.stop(), sandbox.close()]));
beforeEach(() => {
	onArrival = () => {};
	onAnswer = () => {};
	arrived = answered = 0;
});

const nameOf = (night: string, row: number) => `${night}, row ${row}`;

/** @param only rows to send; all by default */
function workflow(night: string, options: IDataObject = {}, only?: number[]) {
	const numbers = only ?? Array.from({ length: rows }, (_, row) => row);
	return workflowOf({
		type: 'n8n-nodes-agency-records.agencyShiftSchedules',
		parameters: {
			specifyFields: 'inputItem',
			options: {
				sendOnceKey: '={{ $json.name }}',
				// All nights are of one node.
				sendOnceRemember: 100_000,
				...options,
			} as never,
		},
		items: numbers.map((row) => ({ json: { name: nameOf(night, row) } })),
		node$: { onError: 'continueRegularOutput' },
	});
}

/** How often each row of a night is in the books. */
function inTheBooks(night: string): number[] {
	const count = sandbox.records.countBy('shiftSchedule', 'name');
	return Array.from({ length: rows }, (_, row) => count.get(nameOf(night, row)) ?? 0);
}

/** Waits until nothing of a dead process arrives any more: what it had sent is processed all the same. */
async function quiet(): Promise<void> {
	let before: number;
	do {
		before = arrived;
		await delay(longestLatency * 5);
	} while (arrived > before);
}

interface Fate {
	died: boolean;
	doubled: number;
	/** Not in the books, and not named as in doubt. */
	lost: number;
	inDoubt: number;
}

/**
 * One night: a process dies, the next schedule runs, a person looks up what it named as in doubt.
 * @param end ends the process somehow, unless `death` does
 */
async function night(name: string, end: (worker: Worker) => void, death?: Death): Promise<Fate> {
	const worker = await team.add();
	end(worker);
	const died = await worker.run(workflow(name), { limit: 60_000, death }).then(
		() => false,
		() => true,
	);
	await quiet();

	const [next] = team.workers as [Worker];
	const { output } = await next.run(workflow(name), { limit: 60_000, waitingTimes });
	const outcomes = output[nodeName]!;
	const isDoubtful = (entry: IDataObject) => JSON.stringify(entry).includes('is in doubt');
	const books = inTheBooks(name);
	const doubtful = outcomes.flatMap((entry, row) => (isDoubtful(entry) ? [row] : []));
	const missing = doubtful.filter((row) => books[row] === 0);
	const anyway = workflow(name, { sendOnceAnyway: 'inDoubt' }, missing);
	if (missing.length > 0) await next.run(anyway, { limit: 60_000, waitingTimes });
	const then = inTheBooks(name);
	return {
		died,
		doubled: then.filter((count) => count > 1).length,
		lost: then.filter((count) => count === 0).length,
		inDoubt: doubtful.length,
	};
}

const table: string[] = [];
const report = (moment: string, { doubled, lost, inDoubt }: Fate) =>
	table.push(`${moment}: doubled ${doubled}, lost ${lost}, in doubt ${inDoubt} of ${rows}`);
afterAll(() => console.log(`seed ${seed}\n${table.join('\n')}`));

test.each<[string, Death]>([
	['before anything is noted', { kind: 'record', call: 1, written: false }],
	['noted, and nothing sent', { kind: 'record', call: 1, written: true }],
	['the second slice noted', { kind: 'record', call: 3, written: true }],
	['answered, and not noted as done', { kind: 'remove', call: 1, written: false }],
	['noted as done', { kind: 'remove', call: 1, written: true }],
])('killed: %s', async (moment, death) => {
	const fate = await night(moment, () => {}, death);
	report(moment, fate);
	expect(fate).toMatchObject({ died: true, doubled: 0, lost: 0 });
});

test.each([1, 30])('killed when request %i has arrived', async (request) => {
	const fate = await night(`arrival ${request}`, (worker) => {
		onArrival = (count) => count === request && worker.kill();
	});
	report(`request ${request} has arrived`, fate);
	expect(fate).toMatchObject({ died: true, doubled: 0, lost: 0 });
	expect(fate.inDoubt).toBeGreaterThan(0);
});

test(
	`killed at ${kills} random moments (seed ${seed})`,
	async () => {
		const dice = seededRandom(seed);
		const all: Fate[] = [];
		for (let round = 0; round < kills; round++) {
			const request = 1 + Math.floor(dice() * rows);
			const byAnswer = dice() < 0.5;
			all.push(
				await night(`random ${round}`, (worker) => {
					const at = (count: number) => count === request && worker.kill();
					arrived = answered = 0;
					if (byAnswer) onAnswer = at;
					else onArrival = at;
				}),
			);
			onArrival = () => {};
			onAnswer = () => {};
		}
		const sum = (of: (fate: Fate) => number) => all.reduce((total, fate) => total + of(fate), 0);
		const total = {
			died: sum(({ died }) => Number(died)),
			doubled: sum(({ doubled }) => doubled),
			lost: sum(({ lost }) => lost),
		};
		const most = Math.max(...all.map(({ inDoubt }) => inDoubt));
		table.push(
			`${total.died} random kills: doubled ${total.doubled}, lost ${total.lost}, in doubt ${sum(({ inDoubt }) => inDoubt)} of ${rows * kills}, ${most} at most`,
		);
		expect(total).toMatchObject({ doubled: 0, lost: 0 });
		expect(total.died).toBeGreaterThan(0);
	},
	30_000 + kills * 20_000,
);
