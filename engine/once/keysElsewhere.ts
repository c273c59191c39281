// Keys in doubt, of which another run may be sending the items at this moment. That run is asked, by a mark that it
// removes. The keys are waited for until it has noted what became of the items, or until nobody has answered for long.
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
	/** Whether another run has answered since this one asked last, or nobody had asked. */
	isAnswered: boolean;
	/** Whether another run has answered while this one waited: what a person looked up before says nothing any more. */
	wasAnswered?: boolean;
	/** Whether this run has taken over the key of an item in doubt. */
	isTakenOver?: boolean;
	/** Whether another run may have taken the key over. */
	isLost?: boolean;
}

/** A job whose key another run has noted. */
interface WaitingJob {
	noted: NotedJob;
	/** By performance.now(): when the other run last answered. */
	answeredAt: number;
	/** How often it was asked since; 0 before the first time. */
	asked: number;
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
		this.waiting.push({ noted, answeredAt: performance.now(), asked: 0 });
		return true;
	}

	/** The marks by which this run still asks. */
	get asking(): string[] {
		return this.waiting.map(({ noted }) => noted.marks.asked);
	}

	/** To be called when something else than waiting has ended. */
	noteWork(): void {
		this.idleSince = performance.now();
		this.waitedInVain = 0;
	}

	/**
	 * Waits, and yields each job once its key has changed, or once nobody is sending the item any more. Those that still
	 * wait when the run ends are not yielded.
	 * @param ask notes jobs once more; it leaves out those for which that was not possible
	 * @param takeOver takes over the keys of jobs; it gives those of which nobody has answered meanwhile, or nothing when
	 * none of them is to be waited for any longer
	 * @param callTime milliseconds that a call of n8n's store takes
	 */
	async *changed(
		ask: (jobs: readonly Job[]) => AsyncIterable<NotedJob>,
		takeOver: (jobs: readonly NotedJob[]) => Promise<readonly NotedJob[] | undefined>,
		callTime: () => number,
		stop: AbortSignal,
	): AsyncGenerator<NotedJob, void> {
		const { lookInterval, nobodySendsAfter, asksBeforeGivingUp } = waitingTimes;
		this.noteWork();
		while (this.waiting.length > 0 && !stop.aborted) {
			await wait(Math.max(lookInterval, looksApart * callTime()), stop);
			const before = new Map(this.waiting.splice(0).map((entry) => [entry.noted.job, entry]));
			const unanswered: NotedJob[] = [];
			for await (const noted of ask([...before.keys()])) {
				const { noted: earlier, answeredAt, asked } = before.get(noted.job)!;
				const now = performance.now();
				noted.wasAnswered = earlier.wasAnswered || (noted.isAnswered && asked > 0);
				if (noted.earlier !== 'inDoubt') yield noted;
				else if (noted.isAnswered) this.waiting.push({ noted, answeredAt: now, asked: 1 });
				// Who was asked only a few times in that time may have waited for the lock as long as this run has.
				else if (asked >= asksBeforeGivingUp && now - answeredAt > nobodySendsAfter)
					unanswered.push(noted);
				else this.waiting.push({ noted, answeredAt, asked: asked + 1 });
			}
			if (unanswered.length === 0) continue;
			const taken = await takeOver(unanswered);
			if (!taken) continue;
			this.waitedInVain = performance.now() - this.idleSince;
			for (const noted of unanswered) {
				if (taken.includes(noted)) yield noted;
				else {
					noted.wasAnswered = true;
					this.add(noted);
				}
			}
		}
	}
}
