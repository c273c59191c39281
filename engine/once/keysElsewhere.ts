// Keys in doubt, of which another run may be sending the items at this moment. They are waited for until that run has
// noted what became of the items, or until nobody is sending them any more.
import type { ItemOutcome } from '../items/results';
import type { Job } from '../kinds/job';
import { wait } from '../n8n';
import { waitingTimes } from './pace';

/**
 * What n8n's store knows of a key, as two marks, of which it keeps hashes. Both are recorded before the item is sent.
 * When it is known what became of the item, "open" is removed; when it was certainly not processed, "sent" is removed
 * too. So whatever dies, and whenever: an item that may have been sent has a mark.
 */
export interface KeyMarks {
	/** The item was sent at some time, or is about to be sent. */
	sent: string;
	/** It is not known what became of the item. */
	open: string;
}

/** A job whose marks are recorded. */
export interface NotedJob {
	job: Job;
	marks: KeyMarks;
	/** What became of the item in all runs before. */
	earlier: ItemOutcome;
}

/** How many times as long as a call of the store takes is at least between two looks. */
const looksApart = 40;

/** "Open" marks for which this process has waited in vain: later runs do not wait again. The oldest are forgotten. */
const abandoned = new Set<string>();
const maxAbandoned = 10_000;

/** To be called when it is known what became of a job. */
export const forgetAbandoned = ({ marks }: NotedJob): void => void abandoned.delete(marks.open);

export class KeysElsewhere {
	private waiting: NotedJob[] = [];

	/** Since when none of the keys has changed, and none was added. */
	private unchangedSince = 0;

	/** Since when the run has nothing to do but to wait. */
	private idleSince = 0;

	/** Milliseconds for which the run has waited, with nothing else to do, for keys that nobody has changed. */
	waitedInVain = 0;

	/** @returns whether the job is to wait for its key */
	add(noted: NotedJob): boolean {
		if (noted.earlier !== 'inDoubt' || abandoned.has(noted.marks.open)) return false;
		this.unchangedSince = performance.now();
		this.waiting.push(noted);
		return true;
	}

	/** To be called when something else than waiting has ended. */
	noteWork(): void {
		this.idleSince = performance.now();
		this.waitedInVain = 0;
	}

	/**
	 * Waits, and yields each job once its key has changed. Those whose keys nobody changes come last, as they were.
	 * @param noteAgain notes jobs once more; it leaves out those for which that was not possible
	 * @param callTime milliseconds that a call of n8n's store takes
	 */
	async *changed(
		noteAgain: (jobs: readonly Job[]) => AsyncIterable<NotedJob>,
		callTime: () => number,
		stop: AbortSignal,
	): AsyncGenerator<NotedJob, void> {
		this.noteWork();
		while (this.waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(waitingTimes.lookInterval, looksApart * callTime()), stop);
			const jobs = this.waiting.splice(0).map(({ job }) => job);
			for await (const noted of noteAgain(jobs)) {
				if (noted.earlier === 'inDoubt') this.waiting.push(noted);
				else {
					this.unchangedSince = performance.now();
					yield noted;
				}
			}
			if (performance.now() - this.unchangedSince > waitingTimes.nobodySendsAfter) break;
		}
		if (this.waiting.length > 0 && !stop.aborted) {
			this.waitedInVain = performance.now() - this.idleSince;
			for (const { marks } of this.waiting) abandoned.add(marks.open);
			for (const mark of abandoned) if (abandoned.size > maxAbandoned) abandoned.delete(mark);
		}
		yield* this.waiting;
	}
}
