// The key of an item in a run with Send Once: its marks in n8n's store, and its state as far as the run knows it.
//
// | State of the key                       | Marks                      | A run that claims it               |
// | -------------------------------------- | -------------------------- | ---------------------------------- |
// | new, or definitely not processed       |                            | may send the item                  |
// | a run may still send the item          | sent, started; a heartbeat | waits                              |
// | the outcome is unknown                 | started                    | is in doubt, or acts on an answer  |
// | the same, after a long silence         | started, taken over        | the same                           |
// | sent                                   | sent                       | does not send it, or is in doubt   |
//
// "Taken over" stays for good, so whenever the silent run wakes, it sees that the key is no longer its own. Removals are
// n8n's most expensive calls, so a sent item needs only one.
//
// Most items also have a fingerprint. Its mark shows that an item with these values was sent, or may have been, under any
// key.
import type { DoubtReason } from '../failure';
import type { Settings } from '../form/settings';
import type { RecordState } from '../outcome';
import type { Job } from '../kinds/job';
import { timing, type Stopwatch } from './timing';

/** Fingerprints that a run recorded, with their keys; removed if none of these rows was processed. */
export type OwnFingerprints = Map<string, Set<object>>;

export class Key {
	readonly itemIndex = this.job.itemIndex;

	/** As the user gave it. */
	readonly value = this.job.values.settings.sendOnceKey!;

	/**
	 * The mark of an item that was sent, or that a run may still send. It is removed when the run leaves the item in doubt.
	 * Claiming a key in doubt may add this mark and fail to remove it (another run then waits in vain), but never removes
	 * another run's.
	 */
	readonly sent = this.mark('sent');

	/** The mark of an item that was started, and whose outcome is not known yet. */
	readonly started = this.mark('started');

	/** The mark of the item's fingerprint; undefined if its values are not compared. */
	readonly fingerprintMark = this.fingerprint && `values\n${this.scope}\n${this.fingerprint}`;

	/** The mark of a key that was taken from a run after too long a silence. */
	readonly takenOver = this.mark('taken over');

	/**
	 * The run that still has to send the item keeps replacing one of these marks with the next. Polling changes none of
	 * them, so all runs that wait for the key see the change.
	 */
	readonly heartbeats = ['a', 'b', 'c'].map((name) => this.mark(`sign ${name}`));

	/**
	 * The outcome of the item in all earlier runs; 'awaited' while another run may still send it; undefined before this run
	 * has asked the store.
	 */
	stateBefore?: RecordState | 'awaited';

	/**
	 * Whether the item's values were never sent by another run, under any key; undefined if they are not compared. Values
	 * that are not valid were never sent.
	 */
	hasNewValues = this.job.isIncomplete ? true : undefined;

	/** Why the marks do not tell whether the item's record is there. */
	doubt?: DoubtReason;

	/** Whether the run waited for another one, which may have sent the item after a person looked it up. */
	wasAwaited = false;

	/** Whether this run has the key, as far as it knows. */
	isOurs = false;

	/**
	 * The time since other runs could see that this one has the key. Until `leaseTime`, no run can take it over. After
	 * that, this run checks whether one has, before it sends the item or forgets the key.
	 */
	leaseAge: Stopwatch = () => Infinity;

	/** The latest heartbeat of this run. */
	heartbeat?: string;

	/** Once this run has released the key: the marks to remove besides the heartbeat. */
	toRemove?: readonly string[];

	/**
	 * The other run's heartbeats as seen at the last poll; when that was, by performance.now(); and for how many
	 * milliseconds they have not changed.
	 */
	private watch?: { seen: readonly string[]; polledAt: number; silence: number };

	/**
	 * @param scope in which keys are unique: a service and an operation
	 * @param fingerprint undefined if the item's values are not compared
	 * @param answer a person's, in case the item is in doubt
	 * @param answersTo the doubt that the answer is about, unless it is about all rows
	 */
	constructor(
		readonly job: Job,
		private readonly scope: string,
		private readonly fingerprint?: string,
		readonly answer: Settings['sendOnceLookedUp'] = 'leave',
		readonly answersTo?: DoubtReason,
	) {}

	private mark(name: string): string {
		return `${name}\n${this.scope}\n${this.value.normalize()}`;
	}

	/** Whether no other run can be sending the item. */
	get isHeld(): boolean {
		return this.isOurs && this.leaseAge() < timing.leaseTime;
	}

	/** @param last the heartbeat before it */
	nextHeartbeat(last = ''): string {
		const { heartbeats } = this;
		return heartbeats[(heartbeats.indexOf(last) + 1) % heartbeats.length]!;
	}

	/** The marks of an item that a run may still send. */
	private get marks(): readonly string[] {
		const { sent, started, fingerprintMark } = this;
		// In this order, n8n forgets a key before its fingerprint.
		return [sent, started, ...(fingerprintMark ? [fingerprintMark] : [])];
	}

	/**
	 * The marks that claim the key. If another run may still send the item, the same marks poll for it; after a long
	 * silence, they take the key over, too.
	 */
	get marksToClaim(): readonly string[] {
		const { marks, heartbeats, takenOver, watch } = this;
		if (this.stateBefore !== 'awaited') return marks;
		const isSilent = (watch?.silence ?? 0) >= timing.deadAfter;
		return [...marks, ...heartbeats, ...(isSilent ? [takenOver] : [])];
	}

	/**
	 * Learns from the store which run has the key.
	 * @param marks the marks that were recorded to claim it
	 * @param added those of them that are new to the store
	 * @param sinceCall the time since other runs could first see the marks
	 * @returns those of the marks that stay; the others are to be removed under the same lock
	 */
	recordClaim(marks: readonly string[], added: ReadonlySet<string>, sinceCall: Stopwatch) {
		const { sent, started, heartbeats, takenOver } = this;
		const earlierMarks = marks.filter((mark) => !added.has(mark));
		const isPoll = marks.includes(heartbeats[0]!);
		this.wasAwaited ||= isPoll;
		this.leaseAge = sinceCall;
		this.isOurs = added.has(started);
		if (this.isOurs) {
			this.stateBefore = added.has(sent) ? 'notProcessed' : 'processed';
			return [...earlierMarks, ...this.marks];
		}
		this.stateBefore = 'inDoubt';
		if (added.has(sent)) {
			this.isOurs = !isPoll && this.answer !== 'leave';
			return this.isOurs ? marks : earlierMarks;
		}
		if (isPoll && this.isDead(marks, added)) {
			// Other runs that wait for the silent one see a new heartbeat, so none of them takes the key from the next run.
			const change = this.nextHeartbeat(this.watch?.seen.at(-1));
			const toRemove = [sent, ...heartbeats];
			return [...earlierMarks.filter((mark) => !toRemove.includes(mark)), takenOver, change];
		}
		this.stateBefore = 'awaited';
		return earlierMarks;
	}

	/** Learns whether no earlier run has sent the item's values. Two rows of one run with equal values are both new. */
	learnValues(added: ReadonlySet<string>, own: OwnFingerprints): void {
		const { fingerprintMark: mark, isOurs } = this;
		if (mark === undefined || !isOurs) return;
		if (added.has(mark) && !own.has(mark)) own.set(mark, new Set());
		own.get(mark)?.add(this);
		this.hasNewValues = own.has(mark);
	}

	/** Whether the run that claimed the key was silent for too long: from then on, no run sends the item. */
	private isDead(marks: readonly string[], added: ReadonlySet<string>): boolean {
		const { heartbeats, takenOver, watch } = this;
		const now = performance.now();
		const seen = heartbeats.filter((mark) => !added.has(mark));
		if (watch?.seen.join() !== seen.join()) {
			this.watch = { seen, polledAt: now, silence: 0 };
			return false;
		}
		// If two polls are far apart, this process may have stood still and missed heartbeats.
		watch.silence += Math.min(now - watch.polledAt, timing.longestSilence);
		watch.polledAt = now;
		// It was recorded because the silence had been too long before this poll.
		return marks.includes(takenOver);
	}
}
