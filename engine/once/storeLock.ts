// A lock between processes, made of n8n's store of processed items. Each call of the store reads a whole row of the
// database and writes it back, so two processes that do that at the same moment erase what the other has written.
// Only the making of a row is atomic: it is an INSERT with the primary key (workflow, context). A node reaches two
// rows, its own and that of its workflow. So the workflow's row is the lock: who makes it holds the lock, and deletes
// it to give the lock back.
import type { IExecuteFunctions } from 'n8n-workflow';

import { wait } from '../n8n';
import { isRefusal, maxCallTime, neverAborted, withinCallTime, withRetries } from '../n8nDatabase';
import { rowOwnedByOtherNode } from './sendOnceMessages';
import { stopwatch, timing, type Stopwatch } from './timing';

/** The one entry of a row that is a lock. All processes write the same, so one may overwrite the other's. */
const lockText = 'agencyRecords lock';

const tableOptions = { mode: 'entries' } as const;

/** Milliseconds between two polls of a lock that is held, from and to, at random. */
const [minPollInterval, maxPollInterval] = [2, 12];

/** How often making the row may fail: it does when two make it at once, and when the database refuses. */
const maxFailedInserts = 20;

/**
 * Whether the row has entries of another kind: those of a Remove Duplicates node that keeps the highest value or the
 * latest date. n8n counts them as none.
 */
const isOtherKind = (error: Error): boolean => error.constructor.name === 'DeduplicationError';

/** Is held once. */
export class StoreLock {
	/** Since this process began to make the row. */
	private age: Stopwatch = () => Infinity;

	constructor(private readonly ctx: IExecuteFunctions) {}

	/**
	 * To be called right before each call that the work makes. A call that is slow may end when another process has
	 * broken the lock; so none begins then.
	 * @throws Error when the time for calls is over
	 */
	assertInTime(): void {
		if (this.age() > maxCallTime) throw new Error('The calls under one lock took too long');
	}

	/**
	 * Does work while no other process does work under the lock of this workflow.
	 * @param work calls of the store, which begin within 15 seconds
	 * @param stop ends the waiting for the lock
	 * @throws what the work throws, or what n8n's store throws; `stop.reason` when it was stopped before
	 * @throws Failure when the workflow's row belongs to another node
	 * @throws Error when another process has broken the lock meanwhile, and may have overwritten what the work has done
	 */
	async hold(work: (lock: this) => Promise<void>, stop: AbortSignal): Promise<void> {
		await this.acquire(stop);
		const working = work(this);
		// A call that has taken too long may still write: the lock is kept until it has come to its end.
		const releasing = working.catch(() => {}).then(() => this.release());
		releasing.catch(() => {});
		await withinCallTime(working);
		await releasing;
	}

	/** @returns the number of entries in the workflow's row; 0 if there is no row, too */
	private count(): Promise<number> {
		return withinCallTime(this.ctx.helpers.getProcessedDataCount('workflow', tableOptions));
	}

	/** For the lock holder: after an error, others would have to break the lock. */
	private countSurely(): Promise<number> {
		return withRetries(() => this.count(), neverAborted);
	}

	/**
	 * Writes the lock's entry into the workflow's row, and makes the row if there is none.
	 * @returns whether the entry was not there before
	 */
	private async record(): Promise<boolean> {
		const { new: added } = await withinCallTime(
			this.ctx.helpers.checkProcessedAndRecord([lockText], 'workflow', tableOptions),
		);
		return added.length > 0;
	}

	private clear(): Promise<void> {
		return withinCallTime(this.ctx.helpers.clearAllProcessedItems('workflow', tableOptions));
	}

	/** Takes the lock's entry out of a row. Other entries stay. */
	private leave(): Promise<void> {
		return withinCallTime(this.ctx.helpers.removeProcessed([lockText], 'workflow', tableOptions));
	}

	private async acquire(stop: AbortSignal): Promise<void> {
		const { holderIsDeadAfter, pollsBeforeBreaking } = timing;
		let failedInserts = 0;
		// When the holder counts as dead, and how many polls are left from then on.
		let deadAt = 0;
		let pollsLeft = 0;
		for (let isFirstPoll = true; ; isFirstPoll = false) {
			stop.throwIfAborted();
			const entries = await this.count();
			if (entries > 1) throw rowOwnedByOtherNode();
			const isHolderDead = !isFirstPoll && performance.now() > deadAt && --pollsLeft < 0;
			if (entries === 0 || isFirstPoll || isHolderDead) {
				this.age = stopwatch();
				const isAdded = await this.record().catch((error: Error) => {
					if (isOtherKind(error)) throw rowOwnedByOtherNode();
					// Of two that make the row at once, one fails.
					if (++failedInserts < maxFailedInserts) return false;
					throw error;
				});
				if (isAdded) {
					if ((await this.countSurely()) <= 1) return;
					// The row was there before, with another node's entries.
					await this.leave();
					throw rowOwnedByOtherNode();
				}
				// Counted once more: another process may have broken the lock a moment ago.
				if (isHolderDead && (await this.count()) === 1) await this.clear();
				deadAt = performance.now() + holderIsDeadAfter;
				pollsLeft = Math.random() * pollsBeforeBreaking;
			}
			await wait(minPollInterval + Math.random() * (maxPollInterval - minPollInterval), stop);
		}
	}

	/** Gives the lock back. */
	private async release(): Promise<void> {
		const entries = await this.countSurely();
		if (entries === 0) throw new Error('Another process has broken the lock');
		// Entries next to the lock's are those of another node, which has begun to use the row: they stay. The call is made
		// only while it is certain that the row is still this process's. Else the work is done all the same, and the next
		// process has to break the lock.
		const giveBack = async () => {
			if (this.age() < timing.holderIsDeadAfter / 2)
				await (entries === 1 ? this.clear() : this.leave());
		};
		await withRetries(giveBack, neverAborted, isRefusal).catch(() => {});
	}
}
