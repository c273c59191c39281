// n8n's store of what a node has processed, the one behind its Remove Duplicates node: marks, kept as hashes in one
// row of n8n's database for each node of a workflow. Each call reads the row and writes it back as a whole, so all
// calls go one after another: in this process by turns, between processes by a lock.
import { randomUUID } from 'node:crypto';

import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { wait } from '../n8n';
import { neverAborted, serialize, withinCallTime, withRetries } from '../n8nDatabase';
import type { Key } from './key';
import { neverSaved } from './sendOnceMessages';
import { StoreLock } from './storeLock';
import { timing } from './timing';

/** A mark that nothing else has. */
const newMark = (name: string): string => `${name}\n${randomUUID()}`;

/** Milliseconds that a removal waits at most for a call that records, while calls are quick. */
const longestDelay = 500;

/** Minimum gap between two removal-only calls, as a multiple of the last call's time. */
const callsApart = 40;

/** Cap (ms) on a measured call: while a machine sleeps, its calls take hours. */
const longestCallTime = 500;

/** Marks that are to be removed. */
interface Removal {
	marks: readonly string[];
	/** Their key, where they are removed only if no other run has taken it over. */
	key?: Key;
}

const unclear = () => new Error('n8n does not say whether these keys were there before');

/** @param began by performance.now(): when the call of the store began that other runs can see */
function extendLeases(keys: readonly Key[], began: number): void {
	for (const key of keys) key.leaseEnd = began + timing.leaseTime;
}

export class MarkStore {
	/** Removed by the next call. */
	private toRemove: Removal[] = [];

	/** A mark of the last call that recorded: it proves what that call, and the next removal, have written. */
	private proof?: string;

	/**
	 * A failed removal that may have been done all the same. Of its marks, no other run has the proof. The probe is
	 * recorded when looking for the proof.
	 */
	private unconfirmedRemoval?: { removals: Removal[]; proof?: string; probe: string };

	private calledAt = performance.now();

	/** Goes on as long as there are marks to remove. */
	private removing?: Promise<void>;

	private readonly closingAbort = new AbortController();

	/** Aborted at the end of the run. */
	readonly closing = this.closingAbort.signal;

	/** Milliseconds of the last call that recorded, up to a cap. */
	callTime = 0;

	/**
	 * @param stop ends the waiting for the lock, and for a database that does not respond
	 * @param options n8n's: it forgets the oldest of more marks than `maxEntries`; without that none is forgotten
	 * @throws Failure when the workflow has no ID, by which the store tells it from others
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
	 * Records marks. Those that wait to be removed are removed before: so whenever the process dies, no more items are
	 * open than were before, or are to be.
	 * @param keys whose leases begin then
	 * @param leftoversOf gives the marks of a key that nobody else is to see. It is called with the marks that were
	 * added, if that is known. They are removed under the same lock, or stay: another run may record them right after
	 * it.
	 * @returns the marks that were not there before, and a proof that is of no other use
	 * @throws Failure when the lock cannot be used
	 * @throws Error when n8n's database fails for longer than a restart of it takes, or when nobody can tell which
	 * marks were there before
	 */
	async record(
		marks: readonly string[],
		stop = this.stop,
		keys: readonly Key[] = [],
		leftoversOf: (key: Key, added?: ReadonlySet<string>) => readonly string[] = () => [],
	): Promise<ReadonlySet<string>> {
		const proof = newMark('proof');
		let added: ReadonlySet<string> | undefined;
		await this.underLock(async (lock) => {
			await this.removeWaiting(lock);
			const began = performance.now();
			const found = await this.recordNow(lock, [...marks, proof]);
			extendLeases(keys, began);
			// If the proof was there before, so were the marks: an earlier try has written them.
			if (found.has(proof)) added = found;
			const leftovers = keys.flatMap((key) => leftoversOf(key, added));
			// What else cannot be removed now is removed by the next call.
			if (leftovers.length > 0) await this.removeWaiting(lock, leftovers).catch(() => {});
		}, stop);
		this.proof = proof;
		if (!added) throw unclear();
		return added;
	}

	/**
	 * Claims keys: their items may be sent unless another run has sent them, or may be sending them.
	 * @param isPoll whether to look for heartbeats of other runs, too
	 * @throws as record() does
	 */
	async claim(keys: readonly Key[], isPoll: boolean): Promise<void> {
		const marks = keys.flatMap(({ sent, open, sending, heartbeats }) =>
			[sent, open, sending].concat(isPoll ? heartbeats : []),
		);
		await this.record(marks, this.stop, keys, (key, added) => key.recordClaim(added, isPoll));
	}

	/**
	 * Takes over keys that another run has left in doubt, if they are still as the last poll has found them.
	 * @param willSend whether this run sends the item of a key
	 * @throws as record() does
	 */
	async takeOver(keys: readonly Key[], willSend: (key: Key) => boolean): Promise<void> {
		const marks = keys.flatMap(({ sent, open, takenOver, sending, heartbeats }) =>
			[sent, open, takenOver, sending].concat(heartbeats),
		);
		await this.record(marks, this.stop, keys, (key, added) =>
			key.recordTakeOver(added, willSend(key)),
		);
	}

	/**
	 * Sends a heartbeat for keys that are held. Keys that were overdue, and were taken over meanwhile, are no longer
	 * ours.
	 * @throws Error when n8n's database fails
	 */
	async sendHeartbeats(keys: readonly Key[]): Promise<void> {
		await this.underLock(async (lock) => {
			await this.checkOverdue(lock, keys);
			const ours = keys.filter(({ isOurs }) => isOurs);
			this.toRemove.push({ marks: ours.flatMap(({ heartbeat }) => heartbeat ?? []) });
			await this.removeWaiting(lock);
			const heartbeats = ours.map((key) => key.nextHeartbeat());
			const began = performance.now();
			await this.recordNow(lock, heartbeats);
			extendLeases(ours, began);
			ours.forEach((key, at) => (key.heartbeat = heartbeats[at]));
		});
	}

	/**
	 * Finds out which keys other runs have taken over; to be called under the lock. Keys with a lease need no look.
	 * What the look has recorded is removed by the next call.
	 */
	private async checkOverdue(lock: StoreLock, keys: readonly Key[]): Promise<void> {
		const now = performance.now();
		const overdue = keys.filter(({ leaseEnd }) => leaseEnd <= now);
		if (overdue.length === 0) return;
		const marks = overdue.flatMap(({ open, takenOver }) => [open, takenOver]);
		const added = await this.recordNow(lock, marks);
		this.toRemove.push({ marks: [...added] });
		for (const key of overdue)
			if (added.has(key.open) || !added.has(key.takenOver)) key.isOurs = false;
	}

	/**
	 * Removes marks with the next call that records, or after a while when none comes; after the run at once.
	 * @param key whose marks stay if another run has taken it over
	 */
	remove(marks: readonly string[], key?: Key): void {
		this.toRemove.push({ marks, key });
		if (this.closing.aborted) void this.close();
		else this.removing ??= this.removeInTime();
	}

	/**
	 * Removes what waits for it; to be called at the end of the run.
	 * @returns whether all of it was removed
	 */
	async close(): Promise<boolean> {
		this.closingAbort.abort();
		if (this.isRemovalDue || this.proof)
			await this.underLock((lock) => this.removeWaiting(lock)).catch(() => {});
		return !this.isRemovalDue;
	}

	private get isRemovalDue(): boolean {
		return this.toRemove.length > 0 || this.unconfirmedRemoval !== undefined;
	}

	private async removeInTime(): Promise<void> {
		while (this.isRemovalDue && !this.closing.aborted) {
			const delay = Math.max(longestDelay, callsApart * this.callTime);
			const left = this.calledAt + delay - performance.now();
			if (left > 0) await wait(left, this.closing);
			// What it cannot remove is removed by the next call, or at the end of the run.
			else await this.record([], neverAborted).catch(() => {});
		}
		this.removing = undefined;
	}

	/**
	 * To be called under the lock.
	 * @param others that are removed now or not at all
	 */
	private async removeWaiting(lock: StoreLock, others: readonly string[] = []): Promise<void> {
		if (this.unconfirmedRemoval) {
			const { removals, proof, probe } = this.unconfirmedRemoval;
			const added = proof && (await this.recordNow(lock, [proof, probe]));
			// It was done if the proof is gone. If the probe was there, an earlier look had recorded the proof again,
			// and its answer was lost: then it counts as done. What is gone is not removed again, because another run
			// may have recorded it meanwhile.
			const isDone = added && (added.has(proof) || !added.has(probe));
			this.toRemove.push({ marks: [probe] }, ...(isDone ? [] : removals));
			this.unconfirmedRemoval = undefined;
		}
		await this.checkOverdue(
			lock,
			this.toRemove.flatMap(({ key }) => key ?? []),
		);
		lock.assertInTime();
		const due = this.toRemove.splice(0).filter(({ key }) => key?.isOurs ?? true);
		const marks = due.flatMap((removal) => removal.marks).concat(this.proof ?? [], others);
		if (marks.length === 0) return;
		this.unconfirmedRemoval = { removals: due, proof: this.proof, probe: newMark('look') };
		await this.ctx.helpers.removeProcessed(marks, 'node', this.options);
		this.unconfirmedRemoval = this.proof = undefined;
	}

	/** @throws Error when n8n does not say of each mark whether it was there before */
	private async recordNow(lock: StoreLock, marks: readonly string[]): Promise<ReadonlySet<string>> {
		lock.assertInTime();
		const { helpers } = this.ctx;
		const began = performance.now();
		const answer = await helpers.checkProcessedAndRecord([...marks], 'node', this.options);
		this.callTime = Math.min(longestCallTime, performance.now() - began);
		const known = new Set([...answer.new, ...answer.processed]);
		if (!marks.every((mark) => known.has(mark))) throw unclear();
		return new Set(answer.new.map(String));
	}

	private async underLock(
		work: (lock: StoreLock) => Promise<void>,
		stop = neverAborted,
	): Promise<void> {
		const hold = () => new StoreLock(this.ctx).hold(work, stop);
		const workflow = this.ctx.getWorkflow().id!;
		this.calledAt = performance.now();
		await withRetries(() => serialize(workflow, hold), stop);
	}
}
