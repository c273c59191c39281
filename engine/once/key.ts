// The key of an item in a run with Send Once: its marks in n8n's store, and its state as far as the run knows it.
//
// | State of the key                       | Marks                   | A run that claims it                |
// | -------------------------------------- | ----------------------- | ----------------------------------- |
// | new, or definitely not processed       |                         | sends the item                      |
// | a run may still send the item          | sent, open; a heartbeat | waits                               |
// | in doubt                               | open                    | asks a person, or acts on an answer |
// | in doubt after a long silence          | open, taken over        | the same                            |
// | processed                              | sent                    | skips the item                      |
//
// "Taken over" stays for good, so whenever the silent run wakes, it sees that the key is no longer its own. Removals are
// n8n's most expensive calls, so a sent item needs only one.
//
// Each item also has a fingerprint. Its mark shows that an item with these values was sent, or may have been, under any
// key.
import type { Settings } from '../form/settings';
import type { RecordState } from '../outcome';
import type { Job } from '../kinds/job';
import { timing, type Stopwatch } from './timing';

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

	/** The mark of an item with an unknown outcome. */
	readonly open = this.mark('open');

	/** The mark of the item's fingerprint. */
	readonly values = `values\n${this.scope}\n${this.fingerprint}`;

	/** The mark of a key that was taken from a run after too long a silence. */
	readonly takenOver = this.mark('taken over');

	/**
	 * The run that still has to send the item keeps replacing one of these marks with the next. Polling changes none of
	 * them, so all runs that wait for the key see the change.
	 */
	readonly heartbeats = ['a', 'b', 'c'].map((name) => this.mark(`sign ${name}`));

	/** The outcome of the item in all earlier runs; undefined before this run has asked the store. */
	earlier?: RecordState;

	/** Whether this run has the key, as far as it knows. */
	isOurs = false;

	/** Whether another run may still send the item. */
	isAwaited = false;

	/**
	 * The time since other runs could see that this one has the key. Until `leaseTime`, no run can take it over. After
	 * that, this run checks whether one has, before it sends the item or forgets the key.
	 */
	leaseAge: Stopwatch = () => Infinity;

	/** The latest heartbeat of this run. */
	heartbeat?: string;

	/**
	 * The other run's heartbeats as seen at the last poll; when that was, by performance.now(); and for how many
	 * milliseconds they have not changed.
	 */
	private watch?: { seen: readonly string[]; polledAt: number; silence: number };

	/**
	 * @param scope in which keys are unique: a service and an operation
	 * @param fingerprint a digest of the item's values
	 * @param lookedUp a person's answer, in case the item is in doubt
	 */
	constructor(
		readonly job: Job,
		private readonly scope: string,
		private readonly fingerprint: string,
		readonly lookedUp: Settings['sendOnceLookedUp'] = 'leave',
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

	/**
	 * The marks that claim the key. If another run may still send the item, the same marks poll for it; after a long
	 * silence, they take the key over, too.
	 */
	get marksToClaim(): readonly string[] {
		const { sent, open, values, heartbeats, takenOver, watch } = this;
		// In this order, n8n forgets a key before its fingerprint.
		const marks = [sent, open, values];
		if (!this.isAwaited) return marks;
		const isSilent = (watch?.silence ?? 0) >= timing.deadAfter;
		return [...marks, ...heartbeats, ...(isSilent ? [takenOver] : [])];
	}

	/**
	 * Learns from the store which run has the key.
	 * @param marks the marks that were recorded to claim it
	 * @param added those of them that are new to the store
	 * @param sinceCall the time since other runs could first see the marks
	 * @returns the marks of the key to remove under the same lock
	 */
	recordClaim(
		marks: readonly string[],
		added: ReadonlySet<string>,
		sinceCall: Stopwatch,
	): readonly string[] {
		const { sent, open, heartbeats, takenOver, lookedUp } = this;
		const polled = marks.filter((mark) => mark === takenOver || heartbeats.includes(mark));
		this.leaseAge = sinceCall;
		this.isAwaited = false;
		if (added.has(open)) {
			this.isOurs = true;
			this.earlier = added.has(sent) ? 'notProcessed' : 'processed';
			return polled.filter((mark) => added.has(mark));
		}
		this.earlier = 'inDoubt';
		const isAbandoned = added.has(sent);
		// If another run may have sent the item after a person looked it up, the answer is out of date.
		this.isOurs = isAbandoned && polled.length === 0 && lookedUp !== 'leave';
		if (this.isOurs) return [];
		if (!isAbandoned && this.isDead(marks, added)) {
			// Other runs that wait for the silent one see a new heartbeat, so none of them takes the key from the next run.
			const change = this.nextHeartbeat(this.watch?.seen.at(-1));
			return [sent, ...heartbeats.filter((mark) => mark !== change)];
		}
		this.isAwaited = !isAbandoned;
		return [sent, ...polled].filter((mark) => added.has(mark));
	}

	/** Whether the run that claimed the key was silent for too long: from then on, no run sends the item. */
	private isDead(marks: readonly string[], added: ReadonlySet<string>): boolean {
		const { heartbeats, takenOver, watch } = this;
		if (!marks.includes(heartbeats[0]!)) return false;
		const now = performance.now();
		const seen = heartbeats.filter((mark) => !added.has(mark));
		if (watch?.seen.join() !== seen.join()) {
			this.watch = { seen, polledAt: now, silence: 0 };
			return false;
		}
		const { polledAt, silence } = watch;
		// If two polls are far apart, this process may have stood still and missed heartbeats.
		watch.silence += Math.min(now - polledAt, timing.longestSilence);
		watch.polledAt = now;
		return silence >= timing.deadAfter && marks.includes(takenOver);
	}
}
