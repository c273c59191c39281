// A night in which vendors are edited all the time, also while they are read, the service is faulty, and n8n is
// killed again and again; and what the trigger has given of it in the morning.
import { seededRandom } from '../../../sandbox/random.mts';
import { addRecord, changeRecord, removeRecord } from '../../../sandbox/recordEdits.mts';
import type { FaultRule } from '../../../sandbox/faults.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { booksOf, differences, mirrorOf, type Doubles } from './mirror.mts';
import { KillableN8n, type Kill } from './n8n.mts';

export interface Night {
	seed: number;
	edits: number;
	polls: number;
}

export interface Morning extends Doubles {
	/** Rows that are not as the trigger has given them. */
	missed: number;
	/**
	 * Rows whose change was given in a poll that was killed before n8n had written what is remembered, and was
	 * undone before the next poll: the list is then as it was remembered.
	 */
	undone: number;
	/** Changes that a kill had lost, and that came when they were repeated. */
	rescued: number;
	given: number;
	/** Polls whose error was shown. */
	failed: number;
	kills: number;
	executions: number;
}

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

/** A poll takes some 100 ms; what n8n writes after it is written within 30. */
const kills: Array<(dice: number) => Kill> = [
	(dice) => ({ since: 'asked', after: dice * 100 }),
	(dice) => ({ since: 'given', after: dice * 30 }),
];

export async function spend({ seed, edits, polls }: Night): Promise<Morning> {
	const dice = seededRandom(seed);
	const below = (most: number) => Math.floor(dice() * most);
	/** Edits that are made one by one as pages are asked for. */
	let meanwhile: Array<() => void> = [];
	const sandbox = await startSandbox({
		seed,
		onArrival: (arrived) => arrived === operation && meanwhile.shift()?.(),
	});
	const { records: store, faults } = sandbox;
	let edited = 0;
	const edit = () => {
		const text = `Edit ${++edited}`;
		const { rows } = store.list('vendor');
		const { id } = rows[below(rows.length)]!;
		const sort = below(3);
		if (sort === 0) addRecord(store, 'vendor', { name: text });
		else if (sort === 1) removeRecord(store, 'vendor', id);
		else changeRecord(store, 'vendor', id, { name: text });
	};
	const start = booksOf(store);
	const n8n = new KillableN8n(sandbox.url, {
		resource: 'vendor',
		options: { maxTries: 2, maxWait: 1 },
	});
	const morning = { failed: 0, kills: 0 };
	const missed = new Set<unknown>();
	const undone = new Set<unknown>();
	const check = () => {
		const { rows, lastPoll } = mirrorOf(start, n8n.executions);
		for (const id of differences(rows, booksOf(store))) {
			(n8n.killed.has(lastPoll.get(id)!) ? undone : missed).add(id);
		}
	};
	try {
		await n8n.poll();
		let isFirst = false;
		for (let poll = 0; poll < polls; poll++) {
			const todo = Array.from({ length: Math.ceil(edits / polls) }, () => edit);
			const isMoving = dice() < 0.3;
			if (isMoving) meanwhile = todo;
			else for (const one of todo) one();
			faults.set(dice() < 0.5 ? faultsOfNight : []);
			const polled = await n8n.poll(dice() < 0.3 ? kills[below(kills.length)]!(dice()) : undefined);
			for (const one of meanwhile.splice(0)) one();
			if (polled?.error !== undefined) morning.failed++;
			else if (polled && !isMoving && !isFirst) check();
			// The first poll of a process may only repeat what was given last.
			isFirst = !polled;
			if (isFirst) morning.kills++;
		}
		faults.set([]);
		// The first may repeat what was last.
		await n8n.poll();
		await n8n.poll();
		check();
		const { executions } = n8n;
		const { doubles, rescued } = mirrorOf(start, executions);
		return {
			...morning,
			...doubles,
			missed: missed.size,
			undone: undone.size,
			rescued,
			given: executions.flatMap(({ items }) => items).length,
			executions: executions.length,
		};
	} finally {
		await n8n.close();
		await sandbox.close();
	}
}
