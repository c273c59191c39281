// n8n's store of processed items, the one behind its Remove Duplicates node: marks, kept as hashes in one row of n8n's
// database per node of a workflow. Each call reads and rewrites the whole row, so calls run one at a time: within this
// process by taking turns, across processes by a lock.
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { neverAborted, serialize, withinCallTime, withRetries } from '../n8nDatabase';
import type { Key } from './key';
import { neverSaved } from './sendOnceMessages';
import { StoreLock } from './storeLock';
import { stopwatch, type Stopwatch } from './timing';

/** Marks to remove. */
interface Removal {
	marks: readonly string[];
	/** Their key, if they are removed only while no other run has taken it over. */
	key?: Key;
	/** They are removed by one call or never: once they are gone, they may be another run's. */
	isOnce: boolean;
}

export class MarkStore {
	/** The next call removes them. */
	private toRemove: Removal[] = [];

	/** Whether some marks of a key could not be removed. */
	private isIncomplete = false;

	private readonly closingAbort = new AbortController();

	/** Aborted at the end of the run. */
	readonly closing = this.closingAbort.signal;

	/**
	 * @param stop ends the waiting for the lock, and for a database that does not respond
	 * @param options n8n's: beyond `maxEntries` marks, it forgets the oldest; without it, it forgets none
	 * @throws Failure when the workflow has no ID: the store needs one to tell workflows apart
	 */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly stop: AbortSignal,
		private readonly options: ICheckProcessedOptions = { mode: 'entries' },
	) {
		if (!ctx.getWorkflow().id) throw neverSaved();
	}

	/** @returns the number of marks; reading them needs no lock */
	async count(): Promise<number> {
		const { helpers } = this.ctx;
		const count = () => withinCallTime(helpers.getProcessedDataCount('node', this.options));
		return await withRetries(count, neverAborted);
	}

	/**
	 * Records marks, after removing the marks that wait for removal. So whenever the process dies, no more items are open
	 * than before or after the call. If the outcome of a call is unknown, the marks that it may have written count as
	 * another run's.
	 * @param learn gets the added marks, and the time since the call began, and returns the marks that no other run may
	 * see: they are removed under the same lock or stay, because another run may record them right after it
	 * @returns the marks that are new to the store
	 * @throws Failure when the lock cannot be used
	 * @throws Error when n8n's database fails for longer than its restart takes, or does not report which marks are new
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
			// A key's mark that stays makes other runs wait; a fingerprint's hides a change. Later, either could be another
			// run's.
			if (leftovers.length > 0) await this.removeWaiting(lock, leftovers).catch(() => {});
		}, this.stop);
		return added;
	}

	/**
	 * Claims keys: their items may be sent unless another run sent them, or may be sending them.
	 * @param asked marks that are only looked up. Recording is the only way to do that, so new ones are removed under the
	 * same lock, unless the process dies in between
	 * @param isCheck whether the keys are only looked up, too. If the process dies in between, they are in doubt
	 * @returns the marks that are new to the store
	 * @throws like record()
	 */
	async claim(
		keys: readonly Key[],
		asked: readonly string[] = [],
		isCheck = false,
	): Promise<ReadonlySet<string>> {
		const claims = keys.map((key) => ({ key, marks: key.marksToClaim }));
		const marks = claims.flatMap((claim) => claim.marks);
		return await this.record([...marks, ...asked], (added, sinceCall) => {
			const over = claims.flatMap((claim) => claim.key.recordClaim(claim.marks, added, sinceCall));
			if (isCheck) return [...added];
			// A fingerprint stays only with a key that is open for this run.
			const kept = new Set(keys.flatMap(({ isOurs, values }) => (isOurs ? values : [])));
			const others = [...asked, ...keys.map(({ values }) => values)];
			return [...over, ...others.filter((mark) => added.has(mark) && !kept.has(mark))];
		});
	}

	/**
	 * Sends a heartbeat for keys that are held. Overdue keys that were taken over meanwhile are no longer ours.
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
	 * Finds out which keys other runs have taken over; called under the lock. Keys with a lease are not looked up.
	 * @returns the marks that this recorded
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
	 * Removes marks with the next call: the next heartbeat or the end of the run at the latest; after the end, immediately.
	 * @param key if given, its marks stay if another run has taken it over
	 * @param isOnce whether they stay if that call fails
	 */
	remove(marks: readonly string[], key?: Key, isOnce = key !== undefined): void {
		this.toRemove.push({ marks, key, isOnce });
		if (this.closing.aborted) void this.close();
	}

	/**
	 * Removes the marks that wait for removal; called at the end of the run.
	 * @returns whether all were removed
	 */
	async close(): Promise<boolean> {
		this.closingAbort.abort();
		if (this.toRemove.length > 0)
			await this.underLock((lock) => this.removeWaiting(lock)).catch(() => {});
		return this.toRemove.length === 0 && !this.isIncomplete;
	}

	/**
	 * Called under the lock.
	 * @param others more marks, removed now or never
	 * @param keys more keys to check
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

	/** @throws Error when n8n does not report each mark as new or known */
	private async recordNow(lock: StoreLock, marks: readonly string[]): Promise<ReadonlySet<string>> {
		lock.assertInTime();
		const { helpers } = this.ctx;
		// n8n would store a repeated mark twice.
		const each = [...new Set(marks)];
		const marked = await helpers.checkProcessedAndRecord(each, 'node', this.options);
		const known = new Set([...marked.new, ...marked.processed]);
		if (!marks.every((mark) => known.has(mark)))
			throw new Error('n8n does not say whether these keys were there before');
		return new Set(marked.new.map(String));
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
