// The key of an item in a run with Send Once: its marks in n8n's store, and what the run knows of it.
//
// | State of the key                       | Marks                   | What a run that claims it does       |
// | -------------------------------------- | ----------------------- | ------------------------------------ |
// | new, or certainly not processed        | none                    | sends the item                       |
// | a run may still send the item          | sent, open; a heartbeat | waits                                |
// | in doubt                               | open                    | asks a person, or does what they say |
// | in doubt after a long silence          | open, taken over        | the same                             |
// | processed                              | sent                    | does not send it                     |
//
// "Taken over" stays for good, so whenever the silent run wakes, it sees that the key is no longer its own. A removal
// costs n8n more than all else, so an item that was sent has one.
//
// Beside its key, each item has a fingerprint, whose mark shows that an item with these values was sent, or may have been,
// under whichever key.
import type { Settings } from '../form/settings';
import type { RecordState } from '../outcome';
import type { Job } from '../kinds/job';
import { timing, type Stopwatch } from './timing';

const fingerprintMark = 'values\n';

export const isFingerprint = (mark: string): boolean => mark.startsWith(fingerprintMark);

export class Key {
	readonly itemIndex = this.job.itemIndex;

	/** As the user gave it. */
	readonly value = this.job.values.settings.sendOnceKey!;

	/**
	 * The mark of an item that was sent, or that a run may still send. It goes when the run leaves the item in doubt.
	 * Claiming a key in doubt may leave it behind, but never removes it: then an item is waited for in vain.
	 */
	readonly sent = this.mark('sent');

	/** The mark of an item whose outcome is not known. */
	readonly open = this.mark('open');

	/** The mark of its fingerprint. */
	readonly values = `${fingerprintMark}${this.scope}\n${this.fingerprint}`;

	/** The mark of a key whose run has been silent for too long. */
	readonly takenOver = this.mark('taken over');

	/**
	 * The run that still has to send the item keeps replacing one of these marks with the next. All runs that wait for
	 * the key see the change, since polling changes nothing.
	 */
	readonly heartbeats = ['a', 'b', 'c'].map((name) => this.mark(`sign ${name}`));

	/** The outcome of the item in all earlier runs; undefined before this run has asked the store. */
	earlier?: RecordState;

	/** Whether this run has the key, as far as it knows. */
	isOurs = false;

	/** Whether another run may still send the item. */
	isAwaited = false;

	/**
	 * Since when other runs could see that this one has the key. Before `leaseTime` is over, none can take it over. After
	 * that, this run checks whether another has, before it sends the item or forgets the key.
	 */
	leaseAge: Stopwatch = () => Infinity;

	/** The latest heartbeat of this run. */
	heartbeat?: string;

	/**
	 * The other run's heartbeats at the last poll; when that was, by performance.now(); and the milliseconds for
	 * which they have been the same.
	 */
	private watch?: { seen: readonly string[]; polledAt: number; silence: number };

	/**
	 * @param scope in which keys are unique: a service and an operation
	 * @param fingerprint of what is sent for the item
	 * @param lookedUp what a person has found out of the item, should it be in doubt
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

	/** Whether it is certain that no other run sends the item. */
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
		// Where n8n forgets the oldest marks, a key is forgotten before its fingerprint.
		const marks = [sent, open, values];
		if (!this.isAwaited) return marks;
		const isSilent = (watch?.silence ?? 0) >= timing.deadAfter;
		return [...marks, ...heartbeats, ...(isSilent ? [takenOver] : [])];
	}

	/**
	 * Learns from the store who has the key.
	 * @param marks that were recorded to claim it
	 * @param added those of them that were not there before
	 * @param sinceCall since when other runs could see the marks, at the earliest
	 * @returns the marks of the key that are to be removed under the same lock
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
		// If another run may have sent the item after a person looked it up, what the person found is out of date.
		this.isOurs = isAbandoned && polled.length === 0 && lookedUp !== 'leave';
		if (this.isOurs) return [];
		if (!isAbandoned && this.isDead(marks, added)) {
			// Others that wait for the silent run see another heartbeat. So none of them takes the key over from the next run.
			const change = this.nextHeartbeat(this.watch?.seen.at(-1));
			return [sent, ...heartbeats.filter((mark) => mark !== change)];
		}
		this.isAwaited = !isAbandoned;
		return [sent, ...polled].filter((mark) => added.has(mark));
	}

	/** Whether the run that claimed the key has been silent for too long: then no run sends the item any more. */
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
		// Between two polls that are far apart, this process may have stood still, and missed heartbeats.
		watch.silence += Math.min(now - polledAt, timing.longestSilence);
		watch.polledAt = now;
		return silence >= timing.deadAfter && marks.includes(takenOver);
	}
}
