// Keys in doubt, of which another run may be sending the items at this moment. They are waited for until that run has
// noted what became of the items, or until nobody is sending them any more.
import type { Job } from '../kinds/job';
import type { NotedJob } from './keys';
import { timeAndChance, waitingTimes } from './pace';

/** How many times as long as a call of the store takes is at least between two looks. */
const looksApart = 40;

/** "Open" marks for which this process has waited in vain: later runs do not wait again. The oldest are forgotten. */
const abandoned = new Set<string>();
const maxAbandoned = 10_000;

function noteAbandoned({ marks }: NotedJob): void {
	abandoned.add(marks.open);
	if (abandoned.size > maxAbandoned) abandoned.delete([...abandoned][0]!);
}

/** To be called when it is known what became of a job. */
export const forgetAbandoned = ({ marks }: NotedJob): void => void abandoned.delete(marks.open);

export class KeysElsewhere {
	private waiting: NotedJob[] = [];

	/** Since when none of the keys has changed, and none was added. */
	private unchangedSince = 0;

	/** Since when the run has nothing to do but to wait. */
	private idleSince = 0;

	/** When the run has given up waiting. */
	private gaveUpAt = -Infinity;

	/** @returns whether the job is to wait for its key */
	add(noted: NotedJob): boolean {
		if (noted.earlier !== 'inDoubt' || abandoned.has(noted.marks.open)) return false;
		this.unchangedSince = timeAndChance.now();
		this.waiting.push(noted);
		return true;
	}

	/** Milliseconds for which the run has waited, with nothing else to do, for keys that nobody has changed. */
	get waitedInVain(): number {
		return Math.max(0, this.gaveUpAt - this.idleSince);
	}

	/** To be called when something else than waiting has ended. */
	noteWork(): void {
		this.idleSince = timeAndChance.now();
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
		const { now, wait } = timeAndChance;
		this.noteWork();
		while (this.waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(waitingTimes.lookInterval, looksApart * callTime()), stop);
			const jobs = this.waiting.splice(0).map(({ job }) => job);
			for await (const noted of noteAgain(jobs)) {
				if (noted.earlier === 'inDoubt') this.waiting.push(noted);
				else {
					this.unchangedSince = now();
					yield noted;
				}
			}
			if (now() - this.unchangedSince > waitingTimes.nobodySendsAfter) break;
		}
		if (this.waiting.length > 0 && !stop.aborted) {
			this.gaveUpAt = now();
			this.waiting.forEach(noteAbandoned);
		}
		yield* this.waiting;
	}
}
