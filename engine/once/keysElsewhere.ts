// Keys in doubt, of which another run may be sending the items at this moment. They are waited for until that run has
// noted what became of the items, or until it has given no sign of life for long.
import type { ItemOutcome } from '../items/results';
import type { Job } from '../kinds/job';
import { wait } from '../n8n';
import type { Claim } from './claim';
import { waitingTimes } from './pace';

/** A job whose marks are recorded. */
export interface NotedJob extends Claim {
	job: Job;
	/** What became of the item in all runs before. */
	earlier: ItemOutcome;
	/** Whether this run has looked for signs of life when it noted the key. */
	isLook: boolean;
	/** The signs of life of another run that were there when this one looked last. */
	signsSeen: readonly string[];
	/** Whether this run sends the item if it can take the key over. */
	isToBeSent: boolean;
	/** Whether another run has lived while this one waited: what a person looked up before says nothing any more. */
	hasOtherLived?: boolean;
	/** Whether this run has taken over the key of an item in doubt. */
	isTakenOver?: boolean;
	/** Whether another run may have taken the key over. */
	isLost?: boolean;
}

/** A job whose key another run has noted. */
interface WaitingJob {
	noted: NotedJob;
	/** By performance.now(): when the other run gave its last sign of life. */
	livedAt: number;
	/** How many looks have shown no other sign since; undefined before the first look. */
	looks?: number;
}

/** How many times as long as a call of the store takes is at least between two looks. */
const looksApart = 40;

export class KeysElsewhere {
	private waiting: WaitingJob[] = [];

	/** Since when the run has nothing to do but to wait. */
	private idleSince = 0;

	/** Milliseconds for which the run has waited, with nothing else to do, for keys of which nobody had an answer. */
	waitedInVain = 0;

	/** @returns whether the job is to wait for its key */
	add(noted: NotedJob): boolean {
		if (noted.earlier !== 'inDoubt') return false;
		this.waiting.push({ noted, livedAt: performance.now(), ...(noted.isLook && { looks: 0 }) });
		return true;
	}

	/** To be called when something else than waiting has ended. */
	noteWork(): void {
		this.idleSince = performance.now();
		this.waitedInVain = 0;
	}

	/**
	 * Waits, and yields each job once its key has changed, or once nobody is sending the item any more. Those that still
	 * wait when the run ends are not yielded.
	 * @param look notes jobs once more; it leaves out those for which that was not possible
	 * @param takeOver takes over the keys of jobs; it gives those that were taken, or nothing when none of them is to be
	 * waited for any longer
	 * @param callTime milliseconds that a call of n8n's store takes
	 */
	async *changed(
		look: (jobs: readonly Job[]) => AsyncIterable<NotedJob>,
		takeOver: (jobs: readonly NotedJob[]) => Promise<readonly NotedJob[] | undefined>,
		callTime: () => number,
		stop: AbortSignal,
	): AsyncGenerator<NotedJob, void> {
		const { lookInterval, deadAfter, looksBeforeGivingUp } = waitingTimes;
		this.noteWork();
		while (this.waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(lookInterval, looksApart * callTime()), stop);
			const before = new Map(this.waiting.splice(0).map((entry) => [entry.noted.job, entry]));
			const silent: NotedJob[] = [];
			for await (const noted of look([...before.keys()])) {
				const { noted: last, livedAt, looks } = before.get(noted.job)!;
				const now = performance.now();
				const isFirst = looks === undefined;
				const lives = !isFirst && noted.signsSeen.join() !== last.signsSeen.join();
				noted.hasOtherLived = last.hasOtherLived || lives;
				if (noted.earlier !== 'inDoubt') yield noted;
				else if (isFirst || lives) this.waiting.push({ noted, livedAt: now, looks: 0 });
				// After a few looks only, the other run may have waited for the lock as long as this one has.
				else if (looks >= looksBeforeGivingUp && now - livedAt > deadAfter) silent.push(noted);
				else this.waiting.push({ noted, livedAt, looks: looks + 1 });
			}
			if (silent.length === 0) continue;
			const taken = await takeOver(silent);
			if (!taken) continue;
			this.waitedInVain = performance.now() - this.idleSince;
			for (const noted of silent) {
				if (taken.includes(noted)) yield noted;
				else {
					noted.hasOtherLived = true;
					this.waiting.push({ noted, livedAt: performance.now(), looks: 0 });
				}
			}
		}
	}
}
