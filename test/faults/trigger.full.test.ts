// Nights in which vendors are edited all the time, also while they are read, the service is faulty, and n8n crashes
// again and again: what the trigger has given of it in the morning. NIGHTS, EDITS and POLLS make more of it, SEED
// repeats it.
import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import { seededRandom } from '../../sandbox/random.mts';
import { addRecord, changeRecord, removeRecord } from '../../sandbox/recordEdits.mts';
import { Trigger, type Crash } from '../harness/polling';
import { useSandbox } from '../harness/useSandbox';
import { useVirtualTime } from '../harness/virtualTime';

const first = Number(process.env.SEED ?? Date.now() % 1_000_000);
const seeds = Array.from({ length: Number(process.env.NIGHTS ?? 1) }, (_, night) => first + night);
const edits = Number(process.env.EDITS ?? 120);
const polls = Number(process.env.POLLS ?? 12);

const operation = 'listVendors';
const faultsOfNight: FaultRule[] = (
	[
		{ fault: 'resetBefore' },
		{ fault: 'resetAfter' },
		{ fault: 'refuse', status: 503, retryAfter: 0 },
		{ fault: 'refuse', status: 500 },
		{ fault: 'cutOff' },
		{ fault: 'emptyAnswer' },
		{ fault: 'webPage' },
		{ fault: 'expireToken' },
	] satisfies FaultRule[]
).map((rule) => ({ ...rule, operation, probability: 0.03 }));
const crashes: Crash[] = ['execution', 'staticData', 'both'];

/** Edits that are made one by one as pages are asked for. */
let meanwhile: Array<() => void> = [];
const sandbox = useSandbox({
	each: 'test',
	onArrival: (arrived) => void (arrived === operation && meanwhile.shift()?.()),
});
useVirtualTime({ skipsPauses: true });

type Rows = Map<unknown, IDataObject>;

/** The agency's vendors, as the trigger gives them. */
const books = (): Rows =>
	new Map(
		sandbox.records
			.list('vendor')
			.rows.map(({ id, data, archived }) => [
				id,
				{ departmentBusinessID: id, ...data, archive: String(archived) } as IDataObject,
			]),
	);

interface Execution {
	/** Number of the poll that began it, and of n8n's process. */
	poll: number;
	process: number;
	items: IDataObject[];
}

/**
 * The vendors as somebody would have them who only gets what the trigger gives.
 * @param rows what was there when the trigger was activated
 * @returns the poll that gave each row last, and how often something came twice without a restart in between
 */
function follow(rows: Rows, executions: readonly Execution[]) {
	const lastPoll = new Map<unknown, number>();
	/** Processes that have given something new. */
	const settled = new Set<number>();
	let unexplained = 0;
	for (const { process, poll, items } of executions) {
		for (const { changeType, repeated, ...row } of items) {
			const id = row.departmentBusinessID;
			lastPoll.set(id, poll);
			const isRemoved = changeType === 'removed';
			const isKnown = isRemoved ? !rows.has(id) : isDeepStrictEqual(rows.get(id), row);
			if (isKnown && !repeated && settled.has(process)) unexplained++;
			if (isRemoved) rows.delete(id);
			else rows.set(id, row);
		}
		if (items.some(({ repeated }) => !repeated)) settled.add(process);
	}
	return { rows, lastPoll, unexplained };
}

test.each(seeds)(
	'edits, faults and crashes (seed %d): no change is missed, and none comes twice without a restart',
	async (seed) => {
		await sandbox.restart({ seed });
		const dice = seededRandom(seed);
		const below = (most: number) => Math.floor(dice() * most);
		let edited = 0;
		const edit = () => {
			const { records: store } = sandbox;
			const name = `Edit ${++edited}`;
			const { rows } = store.list('vendor');
			const { id } = rows[below(rows.length)]!;
			const sort = below(3);
			if (sort === 0) addRecord(store, 'vendor', { name });
			else if (sort === 1) removeRecord(store, 'vendor', id);
			else changeRecord(store, 'vendor', id, { name });
		};

		const start = books();
		const parameters = { resource: 'vendor', options: { maxTries: 2, maxWait: 1 } };
		const trigger = await new Trigger(parameters, sandbox.credentials()).activate();
		const executions: Execution[] = [];
		const crashed = new Set<number>();
		let process = 0;
		/** @returns whether the poll went through */
		const poll = async (number: number, work: () => Promise<unknown>) => {
			const failures = trigger.errors.length;
			const isThrough = await work().then(
				() => trigger.errors.length === failures,
				() => false,
			);
			for (const items of trigger.executions.slice(executions.length)) {
				executions.push({ poll: number, process, items });
			}
			return isThrough;
		};
		/** What was given before a crash, and undone before the next poll, n8n never saw again. */
		const check = () => {
			const { rows, lastPoll, unexplained } = follow(new Map(start), executions);
			const now = books();
			const differing = [...new Set([...rows.keys(), ...now.keys()])].filter(
				(id) => !isDeepStrictEqual(rows.get(id), now.get(id)),
			);
			const missed = differing.filter((id) => !crashed.has(lastPoll.get(id)!));
			expect({ missed, unexplained }).toEqual({ missed: [], unexplained: 0 });
		};

		let isDown = false;
		for (let number = 0; number < polls; number++) {
			const todo = Array.from({ length: Math.ceil(edits / polls) }, () => edit);
			const isMoving = dice() < 0.3;
			if (isMoving) meanwhile = todo;
			else for (const one of todo) one();
			sandbox.faults.set(dice() < 0.5 ? faultsOfNight : []);
			const crash = dice() < 0.3 ? crashes[below(3)] : undefined;
			if (isDown) {
				process++;
				isDown = !(await poll(number, () => trigger.restart()));
			} else if (crash) {
				await poll(number, () => trigger.pollAndCrash(crash));
				crashed.add(number);
				isDown = true;
			} else {
				const isThrough = await poll(number, () => trigger.poll());
				for (const one of meanwhile.splice(0)) one();
				if (isThrough && !isMoving) check();
			}
			for (const one of meanwhile.splice(0)) one();
		}
		sandbox.faults.set([]);
		if (isDown) await poll(polls, () => trigger.restart());
		await poll(polls, () => trigger.poll());
		check();
		expect(executions.length).toBeGreaterThan(0);
	},
	60_000 + polls * 5000,
);
