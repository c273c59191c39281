// Keys that an earlier run has begun. Another run may be sending their items at this moment: they are waited for until
// that has noted what became of them, or until nobody is sending them any more.
import { wait } from '../n8n';
import type { Job } from '../kinds/job';
import type { ReadKey } from './keyScope';
import { waitingTimes } from './waitingTimes';

/** A job whose key is noted as begun. */
export interface NotedJob {
	job: Job;
	/** What was known of the key before. */
	known: ReadKey;
}

export const isKeyInDoubt = ({ known }: NotedJob): boolean => known.status === 'inDoubt';

/** How many times as long as a call of the store takes is at least between two looks. */
const looksApart = 40;

/** Keys for which this process has waited in vain: later runs do not wait for them again. The oldest are forgotten. */
const abandoned = new Set<string>();
const maxAbandoned = 10_000;

const markOf = ({ known }: NotedJob): string => known.open[0]!;

function noteAbandoned(mark: string): void {
	abandoned.add(mark);
	if (abandoned.size > maxAbandoned) abandoned.delete([...abandoned][0]!);
}

/** To be called when it is known what became of a job whose key was begun. */
export const forgetAbandoned = (noted: NotedJob): void => void abandoned.delete(markOf(noted));

export class KeysBegunElsewhere {
	private waiting: NotedJob[] = [];

	/** By performance.now(): since when none of the keys has changed, and none was added. */
	private unchangedSince = 0;

	/** By performance.now(): since when the run has nothing to do but to wait. */
	private idleSince = 0;

	/** By performance.now(): when the run has given up waiting. */
	private gaveUpAt = -Infinity;

	/** @returns whether the job is to wait for its key */
	add(noted: NotedJob): boolean {
		if (!isKeyInDoubt(noted) || abandoned.has(markOf(noted))) return false;
		this.unchangedSince = performance.now();
		this.waiting.push(noted);
		return true;
	}

	/** Milliseconds for which the run has waited, with nothing else to do, for keys that nobody has changed. */
	get waitedInVain(): number {
		return Math.max(0, this.gaveUpAt - this.idleSince);
	}

	/** To be called when something else than waiting has ended. */
	noteWork(): void {
		this.idleSince = performance.now();
	}

	/**
	 * Waits, and yields each job once its key has changed; those whose keys nobody changes come last, as they were.
	 * @param noteAgain notes jobs as begun once more; it leaves out those for which that was not possible
	 * @param callTime milliseconds that a call of n8n's store takes
	 */
	async *settled(
		noteAgain: (jobs: readonly Job[]) => AsyncIterable<NotedJob>,
		callTime: () => number,
		stop: AbortSignal,
	): AsyncGenerator<NotedJob, void> {
		this.noteWork();
		while (this.waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(waitingTimes.lookInterval, looksApart * callTime()), stop);
			const jobs = this.waiting.map(({ job }) => job);
			this.waiting = [];
			for await (const noted of noteAgain(jobs)) {
				if (isKeyInDoubt(noted)) this.waiting.push(noted);
				else {
					this.unchangedSince = performance.now();
					yield noted;
				}
			}
			if (performance.now() - this.unchangedSince > waitingTimes.nobodySendsAfter) break;
		}
		if (this.waiting.length > 0 && !stop.aborted) {
			this.gaveUpAt = performance.now();
			this.waiting.map(markOf).forEach(noteAbandoned);
		}
		yield* this.waiting;
	}
}
