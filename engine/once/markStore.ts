// n8n's store of what a node has processed, the one behind its Remove Duplicates node: marks, kept as hashes in one
// row of n8n's database for each node of a workflow. Each call reads the row and writes it back as a whole, so all
// calls go one after another: in this process by turns, between processes by a lock.
import { randomUUID } from 'node:crypto';

import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { wait } from '../n8n';
import { nextSign, type Claim } from './claim';
import { waitingTimes } from './pace';
import { neverSaved, rowOfOtherNode } from './sendOnceMessages';
import { inTurn, never, withinCallTime, withRetries } from './storeCalls';
import { StoreLock } from './storeLock';

/** A mark that nothing else has. */
const newMark = (name: string): string => `${name}\n${randomUUID()}`;

/** Milliseconds that a removal waits at most for a call that records, while calls are quick. */
const longestDelay = 500;

/** How many times as long as the last call took is at least between two that only remove. */
const callsApart = 20;

/** Milliseconds of a call that count at most: while a machine sleeps, its calls take hours. */
const longestCallTime = 1000;

/** Marks that are to be removed. */
interface Removal {
	marks: readonly string[];
	/** The key that they are of, where they are removed only if nobody has taken it over. */
	claim?: Claim;
}

/** A claim on a key that another run has noted before. */
interface TakeOver extends Claim {
	/** The signs of life that were there when the run looked last. */
	signsSeen: readonly string[];
	/** Whether this run sends the item now. */
	isToBeSent: boolean;
}

interface FailedRemoval {
	removals: Removal[];
	/** One of the marks, which no other run has; undefined when there was none. */
	proof?: string;
	/** A mark by which to look for the proof. */
	look: string;
}

/** @param now by performance.now(), before the store is called */
function hold(claims: readonly Claim[], now: number): void {
	for (const claim of claims) claim.heldUntil = now + waitingTimes.heldFor;
}

export class MarkStore {
	private readonly workflow: string;

	private readonly options: ICheckProcessedOptions;

	private readonly lock: StoreLock;

	/** What the next call removes. */
	private toRemove: Removal[] = [];

	/** A mark of the last call that recorded: it proves what that call, and the next removal, have written. */
	private proof?: string;

	/** A removal of which it is not known whether it was done. */
	private unsure?: FailedRemoval;

	private calledAt = performance.now();

	private isRemovalPlanned = false;

	private readonly closing = new AbortController();

	/** Milliseconds that the last call took, as far as they count, without waiting for its turn or for the lock. */
	callTime = 0;

	/**
	 * @param maxMarks n8n forgets the oldest of more marks than this; without it none is forgotten
	 * @throws Failure when the workflow has no ID, by which the store tells it from others
	 */
	constructor(
		private readonly ctx: IExecuteFunctions,
		maxMarks?: number,
	) {
		const { id } = ctx.getWorkflow();
		if (!id) throw neverSaved();
		this.workflow = id;
		this.options = { mode: 'entries', ...(maxMarks !== undefined && { maxEntries: maxMarks }) };
		this.lock = new StoreLock(ctx.helpers, () => rowOfOtherNode(ctx));
	}

	/** @returns how many marks there are; it only reads, so it needs no lock */
	async count(): Promise<number> {
		const { helpers } = this.ctx;
		const count = () => withinCallTime(helpers.getProcessedDataCount('node', this.options));
		return await withRetries(count, never);
	}

	/**
	 * Records marks. Those that wait to be removed are removed before: so whenever the process dies, no more items are
	 * open than were before, or are to be.
	 * @param stop ends the waiting for the lock, and for a database that does not answer
	 * @param claims that are held from then on
	 * @param removedAgain gives the marks that nobody else is to see: they are removed under the same lock. It is told
	 * which marks were added, if that is known.
	 * @returns those of the marks that were not there before, and a proof that is of no other use
	 * @throws Failure when the lock cannot be used
	 * @throws Error when n8n's database fails for longer than a restart of it takes, or when it cannot be told which
	 * marks were there before
	 */
	async record(
		marks: readonly string[],
		stop = never,
		claims: readonly Claim[] = [],
		removedAgain: (added?: ReadonlySet<string>) => string[] = () => [],
	): Promise<ReadonlySet<string>> {
		const proof = newMark('proof');
		let added: ReadonlySet<string> | undefined;
		await this.underLock(async () => {
			await this.removeWaiting();
			hold(claims, performance.now());
			const found = await this.recordNow([...marks, proof]);
			// Where the proof was there before, so were the marks: an earlier try has written them.
			if (found.has(proof)) added = found;
			const over = removedAgain(added);
			if (over.length === 0) return;
			this.toRemove.push({ marks: over });
			// What cannot be removed now is removed by the next call.
			await this.removeWaiting().catch(() => {});
		}, stop);
		this.proof = proof;
		if (!added) throw new Error('n8n does not say whether these keys were there before');
		return added;
	}

	/**
	 * Notes the keys of claims, which are held from then on.
	 * @returns the marks that were not there before
	 * @throws as record() does
	 */
	async claim(claims: readonly Claim[], stop: AbortSignal): Promise<ReadonlySet<string>> {
		const marks = claims.flatMap(({ marks: { sent, open } }) => [sent, open]);
		return await this.record(marks, stop, claims);
	}

	/**
	 * Does the same for keys that others have noted before, and looks for signs of life of these.
	 * @returns the marks that were not there before, signs among them
	 * @throws as record() does
	 */
	async look(claims: readonly Claim[], stop: AbortSignal): Promise<ReadonlySet<string>> {
		const marks = claims.flatMap(({ marks: { sent, open, signs } }) => [sent, open, ...signs]);
		const signs = claims.flatMap((claim) => claim.marks.signs);
		return await this.record(marks, stop, claims, (added) =>
			signs.filter((sign) => added?.has(sign) ?? true),
		);
	}

	/**
	 * Takes over keys that another run has left in doubt, unless it has given a sign of life, or it is known what became
	 * of the item.
	 * @param claims with what was seen of them last; of those to be sent, this run gives a sign of life
	 * @returns the claims that are held now
	 * @throws as record() does
	 */
	async takeOver(claims: readonly TakeOver[], stop: AbortSignal): Promise<ReadonlySet<Claim>> {
		const marks = claims.flatMap(({ marks: { open, takenOver, signs } }) => [
			open,
			takenOver,
			...signs,
		]);
		const isTaken = ({ marks: { open, signs }, signsSeen }: TakeOver, added: ReadonlySet<string>) =>
			!added.has(open) && signs.every((sign) => added.has(sign) !== signsSeen.includes(sign));
		const added = await this.record(marks, stop, claims, (found) =>
			claims.flatMap((claim) => {
				const { open, takenOver, signs } = claim.marks;
				if (!found) return [...signs];
				if (!isTaken(claim, found))
					return [open, takenOver, ...signs].filter((mark) => found.has(mark));
				if (!claim.isToBeSent) return signs.filter((mark) => found.has(mark));
				claim.sign = nextSign(claim.marks, claim.signsSeen.at(-1));
				return signs.filter((sign) => sign !== claim.sign);
			}),
		);
		return new Set(claims.filter((claim) => isTaken(claim, added)));
	}

	/**
	 * Gives a sign of life for claims.
	 * @returns the claims that are held now; the others were overdue, and were taken over meanwhile
	 * @throws Error when n8n's database fails
	 */
	async giveSigns(claims: readonly Claim[]): Promise<ReadonlySet<Claim>> {
		let held: Claim[] = [];
		await this.underLock(async () => {
			held = await this.stillHeld(claims);
			this.toRemove.push({ marks: held.flatMap(({ sign }) => sign ?? []) });
			hold(held, performance.now());
			await this.removeWaiting();
			const signs = held.map(({ marks, sign }) => nextSign(marks, sign));
			await this.recordNow(signs);
			held.forEach((claim, at) => (claim.sign = signs[at]));
		});
		return new Set(held);
	}

	/**
	 * Finds the claims whose keys nobody has taken over; to be called under the lock. Those that are held need no look.
	 * What the look has recorded is removed by the next call.
	 */
	private async stillHeld(claims: readonly Claim[]): Promise<Claim[]> {
		const now = performance.now();
		const overdue = claims.filter(({ heldUntil }) => heldUntil <= now);
		if (overdue.length === 0) return [...claims];
		const marks = overdue.flatMap(({ marks: { open, takenOver } }) => [open, takenOver]);
		const added = await this.recordNow(marks);
		this.toRemove.push({ marks: [...added] });
		return claims.filter(
			({ heldUntil, marks: { open, takenOver } }) =>
				heldUntil > now || (!added.has(open) && added.has(takenOver)),
		);
	}

	/**
	 * Removes marks with the next call that records, or after a while when none comes; after the run at once.
	 * @param claim the key that they are of, where they stay if it was taken over meanwhile
	 */
	remove(marks: readonly string[], claim?: Claim): void {
		if (marks.length === 0) return;
		this.toRemove.push({ marks, claim });
		if (this.closing.signal.aborted) {
			void this.close();
		} else if (!this.isRemovalPlanned) {
			this.isRemovalPlanned = true;
			void this.removeInTime();
		}
	}

	/**
	 * Removes what waits for it; to be called at the end of the run.
	 * @returns whether all of it was removed
	 */
	async close(): Promise<boolean> {
		this.closing.abort();
		if (!this.isRemovalDue && !this.proof) return true;
		return await this.underLock(() => this.removeWaiting()).then(
			() => true,
			() => false,
		);
	}

	private get isRemovalDue(): boolean {
		return this.toRemove.length > 0 || this.unsure !== undefined;
	}

	private async removeInTime(): Promise<void> {
		const { signal: closing } = this.closing;
		while (this.isRemovalDue && !closing.aborted) {
			const delay = Math.max(longestDelay, callsApart * this.callTime);
			const left = this.calledAt + delay - performance.now();
			if (left > 0) await wait(left, closing);
			// What it cannot remove is removed by the next call, or at the end of the run.
			else await this.record([]).catch(() => {});
		}
		this.isRemovalPlanned = false;
	}

	/** To be called under the lock. */
	private async removeWaiting(): Promise<void> {
		if (this.unsure) {
			const { removals, look } = this.unsure;
			// What is gone is not removed again: another run may have recorded it meanwhile.
			const left = (await this.isGone(this.unsure)) ? [] : removals;
			this.toRemove.push({ marks: [look] }, ...left);
			this.unsure = undefined;
		}
		const held = new Set(await this.stillHeld(this.toRemove.flatMap(({ claim }) => claim ?? [])));
		const due = this.toRemove.splice(0).filter(({ claim }) => !claim || held.has(claim));
		const marks = due.flatMap((removal) => removal.marks).concat(this.proof ?? []);
		if (marks.length === 0) return;
		this.unsure = { removals: due, proof: this.proof, look: newMark('look') };
		await this.ctx.helpers.removeProcessed(marks, 'node', this.options);
		this.unsure = this.proof = undefined;
	}

	/**
	 * Whether a removal that seemed to fail has removed its marks, as it has if its proof is gone. The look is recorded
	 * with the proof: if it was there, an earlier look had recorded the proof anew, and its answer was lost. Then the
	 * marks count as gone.
	 */
	private async isGone({ proof, look }: FailedRemoval): Promise<boolean> {
		if (!proof) return false;
		const added = await this.recordNow([proof, look]);
		return added.has(proof) || !added.has(look);
	}

	/** @throws Error when n8n does not say of each mark whether it was there before */
	private async recordNow(marks: readonly string[]): Promise<ReadonlySet<string>> {
		const { helpers } = this.ctx;
		const answer = await helpers.checkProcessedAndRecord([...marks], 'node', this.options);
		const told = new Set([...answer.new, ...answer.processed]);
		if (!marks.every((mark) => told.has(mark))) {
			throw new Error('n8n does not say whether these keys were there before');
		}
		return new Set(answer.new.map(String));
	}

	private async underLock(work: () => Promise<void>, stop = never): Promise<void> {
		const timed = async () => {
			const began = performance.now();
			await work();
			this.callTime = Math.min(longestCallTime, performance.now() - began);
		};
		this.calledAt = performance.now();
		await withRetries(() => inTurn(this.workflow, () => this.lock.hold(timed, stop)), stop);
	}
}
