// A lock between processes, made of n8n's store of processed items. Each call of the store reads a whole row of the
// database and writes it back, so two processes that do that at the same moment erase what the other has written.
// Only the making of a row is atomic: it is an INSERT with the primary key (workflow, context). A node reaches two
// rows, its own and that of its workflow; so the workflow's row is the lock of all rows of its nodes.
import type { IExecuteFunctions } from 'n8n-workflow';

import { withDeadline } from '../http/deadline';
import { wait } from '../n8n';
import { waitingTimes } from './waitingTimes';

/** Milliseconds that the calls of the store under one lock may take. */
const maxCallTime = 15_000;

/** @throws Error when the call has not ended in time; it may still end later */
export const withinCallTime = <Value>(call: Promise<Value>): Promise<Value> =>
	withDeadline(
		{ timeout: maxCallTime },
		() => call,
		() => {
			throw new Error(`n8n's database did not answer within ${maxCallTime / 1000} seconds`);
		},
	);

/** What the lock uses of n8n's helpers. */
export type StoreHelpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

/** All processes write the same text, so that it does not matter when one overwrites the other's. */
const lockText = 'agencyRecords lock';

const tableOptions = { mode: 'entries' } as const;

/** Milliseconds between two looks at a lock that is held, from and to, at random. */
const [minPollInterval, maxPollInterval] = [2, 12];

/** Milliseconds for which a workflow's row that belongs to a Remove Duplicates node is not looked at again. */
const foreignRowKept = 600_000;

/** How often making the row may fail: it does when two make it at once, and when the database refuses. */
const maxFailedInserts = 20;

/** When a workflow's row was seen to belong to another node, by performance.now(). */
const foreignRows = new Map<string, number>();

/**
 * How work was done: under the lock, without it since the workflow's row belongs to another node, or under a lock that
 * another process has broken meanwhile.
 */
export type Exclusiveness = 'exclusive' | 'rowOfOtherNode' | 'lockLost';

export class StoreLock {
	/** @param workflowId ID of the workflow whose row is the lock */
	constructor(
		private readonly helpers: StoreHelpers,
		private readonly workflowId: string,
	) {}

	/**
	 * Does work while no other process does work under the lock of this workflow. Where the workflow's row belongs to a
	 * Remove Duplicates node (its Scope is Workflow), the work is done without a lock.
	 * @param work calls of the store, which take 15 seconds together at most
	 * @param stop ends the waiting for the lock
	 * @throws what the work throws, or what n8n's store throws; `stop.reason` when it was stopped before
	 */
	async hold<Value>(
		work: () => Promise<Value>,
		stop: AbortSignal,
	): Promise<{ value: Value; exclusiveness: Exclusiveness }> {
		if (!(await this.acquire(stop))) {
			return { value: await withinCallTime(work()), exclusiveness: 'rowOfOtherNode' };
		}
		const working = work();
		const value = await withinCallTime(working).catch((error: unknown) => {
			// A call that has taken too long may still write: the lock is kept until it has come to its end.
			void working
				.catch(() => {})
				.then(() => this.release())
				.catch(() => {});
			throw error;
		});
		// The work is done, whatever becomes of the lock.
		return { value, exclusiveness: await this.release().catch(() => 'lockLost' as const) };
	}

	private get isKnownAsForeign(): boolean {
		const seenAt = foreignRows.get(this.workflowId);
		return seenAt !== undefined && performance.now() - seenAt < foreignRowKept;
	}

	private noteForeign(): void {
		foreignRows.set(this.workflowId, performance.now());
	}

	/** @returns the number of entries in the workflow's row; 0 also when there is no row */
	private count(): Promise<number> {
		return withinCallTime(this.helpers.getProcessedDataCount('workflow', tableOptions));
	}

	/** @returns whether the text was not in the row before: then this process has made the row, or added to it */
	private async record(): Promise<boolean> {
		const { new: added } = await withinCallTime(
			this.helpers.checkProcessedAndRecord([lockText], 'workflow', tableOptions),
		);
		return added.length > 0;
	}

	private clear(): Promise<void> {
		return withinCallTime(this.helpers.clearAllProcessedItems('workflow', tableOptions));
	}

	/** Takes the text out of a row that belongs to another node, whose entries stay. */
	private async leaveForeignRow(): Promise<void> {
		this.noteForeign();
		await withinCallTime(this.helpers.removeProcessed([lockText], 'workflow', tableOptions));
	}

	/** @returns false when the row belongs to another node */
	private async acquire(stop: AbortSignal): Promise<boolean> {
		if (this.isKnownAsForeign) return false;
		let failedInserts = 0;
		const newPatience = () => ({
			deadAt: performance.now() + waitingTimes.holderIsDeadAfter,
			looks: Math.random() * waitingTimes.looksBeforeBreaking,
		});
		let patience = newPatience();
		for (;;) {
			stop.throwIfAborted();
			const count = await this.count();
			if (count > 1) {
				this.noteForeign();
				return false;
			}
			if (count === 0) {
				patience = newPatience();
				const made = await this.record().catch((error: unknown) => {
					// Of two that make the row at once, one fails.
					if (++failedInserts < maxFailedInserts) return false;
					throw error;
				});
				if (made) return true;
			} else if (performance.now() > patience.deadAt && --patience.looks < 0) {
				const owner = await this.ownerOfEntry();
				if (owner === 'thisProcess') return true;
				if (owner === 'otherNode') return false;
				// Looked at once more: another process may have broken the lock a moment ago.
				if ((await this.count()) === 1) await this.clear();
				patience = newPatience();
			}
			await wait(minPollInterval + Math.random() * (maxPollInterval - minPollInterval), stop);
		}
	}

	/** Whose the one entry is that the row has had for so long. */
	private async ownerOfEntry(): Promise<'deadHolder' | 'otherNode' | 'thisProcess'> {
		if (!(await this.record())) return 'deadHolder';
		// The lock was given back just now, and the call has made the row anew.
		if ((await this.count()) === 1) return 'thisProcess';
		await this.leaveForeignRow();
		return 'otherNode';
	}

	/**
	 * Gives the lock back.
	 * @returns `exclusive` when the row was the lock and nothing else, so that nobody else can have held it
	 */
	private async release(): Promise<Exclusiveness> {
		const count = await this.count();
		if (count === 0) return 'lockLost';
		if (count === 1) {
			await this.clear();
			return 'exclusive';
		}
		await this.leaveForeignRow();
		return 'rowOfOtherNode';
	}
}
