// n8n's store of processed items, the one behind its Remove Duplicates node: marks, kept as hashes in one row of n8n's
// database per node of a workflow. Each call reads and rewrites the whole row, so calls run one at a time: within this
// process by taking turns, across processes by a lock.
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { neverAborted, serialize, withinCallTime, withRetries } from '../n8nDatabase';
import type { Key, OwnFingerprints } from './key';
import { neverSaved } from './sendOnceMessages';
import { StoreLock } from './storeLock';
import { stopwatch, type Stopwatch } from './timing';

export class MarkStore {
	/** The keys that the run has released: the next call removes marks of theirs. */
	private released: Key[] = [];

	/** Whether some marks of a key could not be removed. */
	private isIncomplete = false;

	private readonly closingAbort = new AbortController();

	/** Aborted at the end of the run. */
	readonly closing = this.closingAbort.signal;

	/**
	 * @param stop ends the waiting for the lock, and for a database that does not respond
	 * @param options n8n's: beyond `maxEntries` marks, it forgets the oldest; without it, it forgets none
	 */
	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly stop: AbortSignal,
		private readonly options: ICheckProcessedOptions = { mode: 'entries' },
	) {}

	/**
	 * @returns the number of marks; reading them needs no lock
	 * @throws Failure when the workflow has no ID: the store needs one to tell workflows apart
	 */
	async count(): Promise<number> {
		if (!this.ctx.getWorkflow().id) throw neverSaved();
		const { helpers } = this.ctx;
		const count = () => withinCallTime(helpers.getProcessedDataCount('node', this.options));
		return await withRetries(count, neverAborted);
	}

	/**
	 * Records marks, after removing those of released keys: if the process dies, no more items are started than before or
	 * after the call.
	 * @param learn gets the added marks, and the time since the call began; returns the marks to remove again
	 * @returns the marks that are new to the store
	 * @throws Failure when the lock cannot be used
	 * @throws Error when n8n's database fails for longer than its restart takes, or does not report which marks are new. The
	 * marks that it may have written then count as another run's
	 */
	async record(
		marks: readonly string[],
		learn: (added: ReadonlySet<string>, sinceCall: Stopwatch) => readonly string[] = () => [],
	): Promise<ReadonlySet<string>> {
		let added: ReadonlySet<string> = new Set();
		await this.underLock(async (lock) => {
			const sent = await this.remove(lock);
			const sinceCall = stopwatch();
			added = await this.recordNow(lock, [...marks, ...sent]);
			const leftovers = learn(added, sinceCall);
			// They are removed under the same lock or stay: right after it, another run may record them. A key's mark that
			// stays makes other runs wait; a fingerprint's hides a change.
			if (leftovers.length > 0) await this.remove(lock, leftovers).catch(() => {});
		}, this.stop);
		return added;
	}

	/**
	 * Claims keys: their items may be sent unless another run sent them, or may be sending them.
	 * @param own of this run; changed under the lock, so that a run that ends now removes the fingerprints that it recorded
	 * @param isCheck whether the keys are only looked up. Recording is the only way to do that, so new marks are removed
	 * under the same lock; if the process dies in between, the keys are in doubt
	 * @throws like record()
	 */
	async claim(keys: readonly Key[], own: OwnFingerprints, isCheck = false): Promise<void> {
		const claims = keys.map((key) => ({ key, marks: key.marksToClaim }));
		const all = claims.flatMap(({ marks }) => marks);
		await this.record(all, (added, sinceCall) => {
			const stay = new Set<string>();
			// Several keys may share a fingerprint.
			for (const { key, marks } of claims) {
				for (const mark of key.recordClaim(marks, added, sinceCall)) stay.add(mark);
				key.learnValues(added, own);
			}
			return isCheck ? [...added] : all.filter((mark) => !stay.has(mark));
		});
	}

	/**
	 * Sends a heartbeat for keys that are held. Overdue keys that were taken over meanwhile are no longer ours.
	 * @throws Error when n8n's database fails
	 */
	async sendHeartbeats(keys: readonly Key[]): Promise<void> {
		await this.underLock(async (lock) => {
			const former = keys.flatMap(({ heartbeat }) => heartbeat ?? []);
			const sent = await this.remove(lock, former, keys);
			const ours = keys.filter(({ isOurs, toRemove }) => isOurs && !toRemove);
			const heartbeats = ours.map((key) => key.nextHeartbeat(key.heartbeat));
			const sinceCall = stopwatch();
			await this.recordNow(lock, [...heartbeats, ...sent]);
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
		const added = await this.recordNow(
			lock,
			overdue.map(({ takenOver }) => takenOver),
		);
		for (const key of overdue) key.isOurs = added.has(key.takenOver);
		return [...added];
	}

	/**
	 * Releases a key with the next call (the next heartbeat or the end of the run at the latest; after the end,
	 * immediately): removes marks of it, unless another run has taken it over.
	 */
	release(key: Key): void {
		this.released.push(key);
		if (this.closing.aborted) void this.close();
	}

	/**
	 * Removes the marks that wait for removal; called at the end of the run.
	 * @returns whether all were removed
	 */
	async close(): Promise<boolean> {
		this.closingAbort.abort();
		const finish = async (lock: StoreLock) =>
			void (await this.recordNow(lock, await this.remove(lock)));
		if (this.released.length > 0) await this.underLock(finish).catch(() => {});
		return this.released.length === 0 && !this.isIncomplete;
	}

	/**
	 * Removes the marks of released keys, and others; called under the lock.
	 * @param others removed now or never
	 * @param keys more keys to check
	 * @returns the marks of items that were sent, to be recorded: a run that waited for a frozen one may just have taken the
	 * key from this one, which claimed it in between
	 */
	private async remove(lock: StoreLock, others: readonly string[] = [], keys: readonly Key[] = []) {
		const released = [...this.released];
		const looked = await this.checkOverdue(lock, [...keys, ...released]);
		// Keys that were released meanwhile are not checked.
		this.released.splice(0, released.length);
		const due = released.filter(({ isOurs }) => isOurs);
		const ofKeys = due.flatMap(({ toRemove = [], heartbeat = [] }) => [toRemove, heartbeat].flat());
		const marks = [...ofKeys, ...looked, ...others];
		if (marks.length === 0) return [];
		const remove = async () => {
			lock.assertInTime();
			await this.ctx.helpers.removeProcessed(marks, 'node', this.options);
		};
		const processed = due.filter(({ toRemove, sent }) => !toRemove!.includes(sent));
		await withRetries(remove, neverAborted).catch((error: Error) => {
			// Once the marks of an item that was not processed are gone, they may be another run's.
			this.released.push(...processed);
			this.isIncomplete ||= processed.length < due.length;
			throw error;
		});
		return processed.map(({ sent }) => sent);
	}

	/** @throws Error when n8n does not report each mark as new or known */
	private async recordNow(lock: StoreLock, marks: readonly string[]): Promise<ReadonlySet<string>> {
		if (marks.length === 0) return new Set();
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

	private async underLock(work: (lock: StoreLock) => Promise<void>, stop = neverAborted) {
		const hold = () => new StoreLock(this.ctx).hold(work, stop);
		const workflow = this.ctx.getWorkflow().id!;
		await withRetries(() => serialize(workflow, hold), stop);
	}
}
