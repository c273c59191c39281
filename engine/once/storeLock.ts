// A lock between processes, made from n8n's store of processed items. Each call of the store reads and rewrites a whole
// row of the database, so two processes that do so at the same moment erase each other's changes. Only creating a row is
// atomic: it is an INSERT with the primary key (workflow, context). A node reaches two rows: its own and its workflow's.
// So the workflow's row is the lock: the process that creates it holds the lock, and deletes it to release the lock.
import type { IExecuteFunctions } from 'n8n-workflow';

import { wait } from '../n8n';
import { isRefusal, maxCallTime, neverAborted, withinCallTime, withRetries } from '../n8nDatabase';
import { rowOwnedByOtherNode } from './sendOnceMessages';
import { stopwatch, timing, type Stopwatch } from './timing';

/** The only entry of a lock's row. All processes write the same one, so one may overwrite another's. */
const lockText = 'agencyRecords lock';

const tableOptions = { mode: 'entries' } as const;

/** Minimum and maximum random interval between two polls of a held lock (milliseconds). */
const [minPollInterval, maxPollInterval] = [2, 12];

/** Maximum failures to create the row: it fails if two processes create it at once, or if the database refuses. */
const maxFailedInserts = 20;

/**
 * Whether the row's entries belong to a Remove Duplicates node that keeps the highest value or the latest date. n8n does
 * not count them.
 */
const isOtherKind = (error: Error): boolean => error.constructor.name === 'DeduplicationError';

/** Can be held once. */
export class StoreLock {
	/** The time since this process began to create the row. */
	private age: Stopwatch = () => Infinity;

	constructor(private readonly ctx: IExecuteFunctions) {}

	/**
	 * Called right before each call of the work. A slow call may end after another process broke the lock, so after a while
	 * none begins.
	 * @throws Error when the time for calls is over
	 */
	assertInTime(): void {
		if (this.age() > maxCallTime) throw new Error('The calls under one lock took too long');
	}

	/**
	 * Runs work while no other process works under the lock of this workflow.
	 * @param work calls of the store that begin within 15 seconds
	 * @param stop ends the wait for the lock
	 * @throws the errors of the work and of n8n's store; `stop.reason` if stopped before
	 * @throws Failure when the workflow's row belongs to another node
	 * @throws Error when another process broke the lock meanwhile, and may have overwritten the result of the work
	 */
	async hold(work: (lock: this) => Promise<void>, stop: AbortSignal): Promise<void> {
		await this.acquire(stop);
		const working = work(this);
		// An overdue call may still write: the lock is held until it ends.
		const releasing = working.catch(() => {}).then(() => this.release());
		releasing.catch(() => {});
		await withinCallTime(working);
		await releasing;
	}

	/** @returns the number of entries in the workflow's row; 0 without a row */
	private count(): Promise<number> {
		return withinCallTime(this.ctx.helpers.getProcessedDataCount('workflow', tableOptions));
	}

	/** For the holder of the lock: if it gave up, others would have to break the lock. */
	private countSurely(): Promise<number> {
		return withRetries(() => this.count(), neverAborted);
	}

	/**
	 * Writes the lock's entry into the workflow's row, and creates a missing row.
	 * @returns whether the entry is new
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

	/** Removes the lock's entry from a row. Other entries stay. */
	private leave(): Promise<void> {
		return withinCallTime(this.ctx.helpers.removeProcessed([lockText], 'workflow', tableOptions));
	}

	private async acquire(stop: AbortSignal): Promise<void> {
		const { holderIsDeadAfter, pollsBeforeBreaking, settleTime } = timing;
		let failedInserts = 0;
		// The time when the holder counts as dead, and the number of polls from then on.
		let deadAt = 0;
		let pollsLeft = 0;
		for (let isFirstPoll = true; ; isFirstPoll = false) {
			stop.throwIfAborted();
			const entries = await this.count();
			if (entries > 1) throw rowOwnedByOtherNode();
			const isOverdue = !isFirstPoll && performance.now() > deadAt;
			const isHolderDead = isOverdue && --pollsLeft < 0;
			const isTurn = entries === 0 || isFirstPoll || isHolderDead;
			if (isTurn && (entries === 1 || !isOverdue)) {
				this.age = stopwatch();
				const isAdded = await this.record().catch((error: Error) => {
					if (isOtherKind(error)) throw rowOwnedByOtherNode();
					// If two processes create the row at once, one of them fails.
					if (++failedInserts < maxFailedInserts) return false;
					throw error;
				});
				if (isAdded) {
					if ((await this.countSurely()) <= 1) return;
					// The row existed, with another node's entries.
					await this.leave();
					throw rowOwnedByOtherNode();
				}
				// Another process may have broken the lock a moment ago.
				if (isHolderDead && (await this.count()) === 1) await this.clear();
			}
			if (isTurn) {
				deadAt = performance.now() + holderIsDeadAfter;
				pollsLeft = Math.random() * pollsBeforeBreaking;
			}
			const pollInterval = minPollInterval + Math.random() * (maxPollInterval - minPollInterval);
			// Whoever broke a lock, or sees it free after such a wait, takes it later: two processes may break it at the same
			// time, and the second would clear the first one's.
			await wait(isTurn && isOverdue ? settleTime : pollInterval, stop);
		}
	}

	/** Releases the lock. */
	private async release(): Promise<void> {
		const entries = await this.countSurely();
		if (entries === 0) throw new Error('Another process has broken the lock');
		// Other entries are another node's, which has started to use the row: they stay. The call is made only while the row
		// is certainly this process's. Otherwise the work is done all the same, and the next process has to break the lock.
		const giveBack = async () => {
			if (this.age() < timing.holderIsDeadAfter / 2)
				await (entries === 1 ? this.clear() : this.leave());
		};
		await withRetries(giveBack, neverAborted, isRefusal).catch(() => {});
	}
}
