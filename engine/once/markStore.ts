// n8n's store of what a node has processed, the one behind its Remove Duplicates node: marks, kept as hashes in one
// row of n8n's database for each node of a workflow. Each call reads the row and writes it back as a whole, so all
// calls go one after another: in this process by turns, between processes by a lock.
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { neverAborted, serialize, withinCallTime, withRetries } from '../n8nDatabase';
import { isFingerprint, type Key } from './key';
import { neverSaved } from './sendOnceMessages';
import { StoreLock } from './storeLock';
import { stopwatch, type Stopwatch } from './timing';

/** Marks that are to be removed. */
interface Removal {
	marks: readonly string[];
	/** Their key, where they are removed only if no other run has taken it over. */
	key?: Key;
	/** They are removed under one lock, or never: once they are gone, another run may record them. */
	isOnce: boolean;
}

export class MarkStore {
	/** Removed by the next call. */
	private toRemove: Removal[] = [];

	/** Whether marks of a key could not be removed. */
	private isIncomplete = false;

	private readonly closingAbort = new AbortController();

	/** Aborted at the end of the run. */
	readonly closing = this.closingAbort.signal;

	/**
	 * @param stop ends the waiting for the lock, and for a database that does not respond
	 * @param options n8n's: it forgets the oldest of more marks than `maxEntries`; without that none is forgotten
	 * @throws Failure when the workflow has no ID: the store needs one to tell workflows apart
	 */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly stop: AbortSignal,
		private readonly options: ICheckProcessedOptions = { mode: 'entries' },
	) {
		if (!ctx.getWorkflow().id) throw neverSaved();
	}

	/** @returns how many marks there are; it only reads, so it needs no lock */
	async count(): Promise<number> {
		const { helpers } = this.ctx;
		const count = () => withinCallTime(helpers.getProcessedDataCount('node', this.options));
		return await withRetries(count, neverAborted);
	}

	/**
	 * Records marks, after removing the marks that wait for removal. So whenever the process dies, no more items are open
	 * than before the call or after it. After a call whose outcome is not known, marks that it may have written count
	 * as another run's.
	 * @param learn is told which marks were added, and how long ago the call began. It gives the marks that nobody else
	 * is to see: they are removed under the same lock, or stay, because another run may record them right after it
	 * @returns the marks that were not there before
	 * @throws Failure when the lock cannot be used
	 * @throws Error when n8n's database fails for longer than a restart of it takes, or does not say which marks were
	 * there before
	 */
	async record(
		marks: readonly string[],
		learn: (added: ReadonlySet<string>, sinceCall: Stopwatch) => readonly string[] = () => [],
	): Promise<ReadonlySet<string>> {
		let added: ReadonlySet<string> = new Set();
		await this.underLock(async (lock) => {
			await this.removeWaiting(lock);
			const sinceCall = stopwatch();
			added = await this.recordNow(lock, marks);
			const leftovers = learn(added, sinceCall);
			// A key's mark that stays makes others wait; a fingerprint's hides that a row was changed. Removed later, either
			// could be another run's by then.
			if (leftovers.length > 0) await this.removeWaiting(lock, leftovers).catch(() => {});
		}, this.stop);
		return added;
	}

	/**
	 * Claims keys: their items may be sent unless another run has sent them, or may be sending them.
	 * @param others marks to be recorded with the same call
	 * @param leftOf gives those of the others that are taken back under the same lock
	 * @param isCheck whether the keys are only asked for, which only recording them can do: all is taken back under the same
	 * lock. If the process dies in between, they are in doubt
	 * @returns the marks that were not there before
	 * @throws as record() does
	 */
	async claim(
		keys: readonly Key[],
		others: readonly string[] = [],
		leftOf: (added: ReadonlySet<string>) => readonly string[] = () => [],
		isCheck = false,
	): Promise<ReadonlySet<string>> {
		const claims = keys.map((key) => ({ key, marks: key.marksToClaim }));
		return await this.record(
			[...claims.flatMap(({ marks }) => marks), ...others],
			(added, sinceCall) => {
				const over = claims.flatMap(({ key, marks }) => key.recordClaim(marks, added, sinceCall));
				const left = leftOf(added);
				if (isCheck) return [...added, ...left];
				// A fingerprint stays only with a key that is open for this run.
				const needed = new Set(keys.flatMap(({ isOurs, values }) => (isOurs ? values : [])));
				const unneeded = [...added].filter((mark) => isFingerprint(mark) && !needed.has(mark));
				return [...over, ...left, ...unneeded];
			},
		);
	}

	/**
	 * Sends a heartbeat for keys that are held. Keys that were overdue, and were taken over meanwhile, are no longer
	 * ours.
	 * @throws Error when n8n's database fails
	 */
	async sendHeartbeats(keys: readonly Key[]): Promise<void> {
		await this.underLock(async (lock) => {
			const former = keys.flatMap(({ heartbeat }) => heartbeat ?? []);
			await this.removeWaiting(lock, former, keys);
			const ours = keys.filter(({ isOurs }) => isOurs);
			const heartbeats = ours.map((key) => key.nextHeartbeat(key.heartbeat));
			const sinceCall = stopwatch();
			await this.recordNow(lock, heartbeats);
			ours.forEach((key, at) => {
				key.leaseAge = sinceCall;
				key.heartbeat = heartbeats[at];
			});
		});
	}

	/**
	 * Finds out which keys other runs have taken over; to be called under the lock. Keys with a lease need no look.
	 * @returns what the look has recorded
	 */
	private async checkOverdue(lock: StoreLock, keys: readonly Key[]): Promise<readonly string[]> {
		const overdue = keys.filter(({ isOurs, isHeld }) => isOurs && !isHeld);
		if (overdue.length === 0) return [];
		const added = await this.recordNow(
			lock,
			overdue.map(({ takenOver }) => takenOver),
		);
		for (const key of overdue) key.isOurs = added.has(key.takenOver);
		return [...added];
	}

	/**
	 * Removes marks with the next call, which is a heartbeat at the latest, or the end of the run; after it at once.
	 * @param key whose marks stay if another run has taken it over
	 * @param isOnce whether they stay if they cannot be removed now
	 */
	remove(marks: readonly string[], key?: Key, isOnce = key !== undefined): void {
		this.toRemove.push({ marks, key, isOnce });
		if (this.closing.aborted) void this.close();
	}

	/**
	 * Removes what waits for it; to be called at the end of the run.
	 * @returns whether all of it was removed
	 */
	async close(): Promise<boolean> {
		this.closingAbort.abort();
		if (this.toRemove.length > 0)
			await this.underLock((lock) => this.removeWaiting(lock)).catch(() => {});
		return this.toRemove.length === 0 && !this.isIncomplete;
	}

	/**
	 * To be called under the lock.
	 * @param others that are removed now or not at all
	 * @param keys that are checked, too
	 */
	private async removeWaiting(
		lock: StoreLock,
		others: readonly string[] = [],
		keys: readonly Key[] = [],
	): Promise<void> {
		const waiting = [...this.toRemove];
		const keysToCheck = new Set([...keys, ...waiting.flatMap(({ key }) => key ?? [])]);
		const looked = await this.checkOverdue(lock, [...keysToCheck]);
		// Additions made meanwhile are not checked.
		this.toRemove.splice(0, waiting.length);
		const due = waiting.filter(({ key }) => key?.isOurs ?? true);
		const marks = due.flatMap((removal) => removal.marks).concat(looked, others);
		if (marks.length === 0) return;
		const remove = async () => {
			lock.assertInTime();
			await this.ctx.helpers.removeProcessed(marks, 'node', this.options);
		};
		await withRetries(remove, neverAborted).catch((error: Error) => {
			this.toRemove.push(...due.filter(({ isOnce }) => !isOnce));
			this.isIncomplete ||= due.some(({ isOnce }) => isOnce);
			throw error;
		});
	}

	/** @throws Error when n8n does not say of each mark whether it was there before */
	private async recordNow(lock: StoreLock, marks: readonly string[]): Promise<ReadonlySet<string>> {
		lock.assertInTime();
		const { helpers } = this.ctx;
		// n8n would keep a mark twice that is named twice.
		const each = [...new Set(marks)];
		const response = await helpers.checkProcessedAndRecord(each, 'node', this.options);
		const known = new Set([...response.new, ...response.processed]);
		if (!marks.every((mark) => known.has(mark)))
			throw new Error('n8n does not say whether these keys were there before');
		return new Set(response.new.map(String));
	}

	private async underLock(
		work: (lock: StoreLock) => Promise<void>,
		stop = neverAborted,
	): Promise<void> {
		const hold = () => new StoreLock(this.ctx).hold(work, stop);
		const workflow = this.ctx.getWorkflow().id!;
		await withRetries(() => serialize(workflow, hold), stop);
	}
}
