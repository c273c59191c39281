// The key of an item in a run with Send Once: its marks in n8n's store, and what the run knows of it.
import type { RecordState } from '../outcome';
import type { Job } from '../kinds/job';
import { timing } from './timing';

/**
 * The store keeps hashes of a key's marks. "Sent" and "open" are recorded before the item is sent. Once the outcome is
 * known, "open" is removed; if the item was certainly not processed, "sent" is removed too. So whatever dies, and
 * whenever: an item that may have been sent has a mark.
 */
export class Key {
	readonly itemIndex: number;

	/** As the user gave it. */
	readonly value: string;

	/** The mark of an item that was sent at some time, or is about to be sent. */
	readonly sent: string;

	/** The mark of an item whose outcome is not known. */
	readonly open: string;

	/** The mark of a run that has taken the key over from a silent one. */
	readonly takenOver: string;

	/**
	 * The mark of a run that may still send the item. It goes with "open", or when the run leaves the item in doubt.
	 * Polling for it may leave it behind, but never removes it: then an item is waited for in vain.
	 */
	readonly sending: string;

	/**
	 * The run that still has to send the item keeps replacing one of these marks with the next. All runs that wait for
	 * the key see the change, since polling changes nothing.
	 */
	readonly heartbeats: readonly string[];

	/** The outcome of the item in all earlier runs; undefined before this run has asked the store. */
	earlier?: RecordState;

	/** Whether this run has the key, as far as it knows: it has claimed the key, or has taken it over. */
	isOurs = false;

	/**
	 * By performance.now(): until then, no other run can take the key over. After that, this run checks whether another
	 * has, before it sends the item or forgets the key.
	 */
	leaseEnd = 0;

	/** The latest heartbeat of this run. */
	heartbeat?: string;

	/** The heartbeats of another run at the last poll; undefined before the first one. */
	heartbeatsSeen?: readonly string[];

	/** These heartbeats, joined: since when (by performance.now()) and for how many polls they are the same. */
	private watch?: { seen: string; since: number; polls: number };

	/** Whether the last poll has shown that a run has left the item in doubt. */
	private isAbandoned = false;

	/** Whether another run has lived while this one waited: what a person looked up before is out of date. */
	otherRunIsAlive = false;

	/** @param scope in which keys are unique */
	constructor(
		readonly job: Job,
		scope: string,
	) {
		this.itemIndex = job.itemIndex;
		this.value = job.values.settings.sendOnceKey!;
		const scoped = `${scope}\n${this.value.normalize()}`;
		this.sent = `sent\n${scoped}`;
		this.open = `open\n${scoped}`;
		this.takenOver = `taken over\n${scoped}`;
		this.sending = `sending\n${scoped}`;
		this.heartbeats = ['a', 'b', 'c'].map((name) => `sign ${name}\n${scoped}`);
	}

	/** Whether it is certain that no other run sends the item. */
	get isHeld(): boolean {
		return this.isOurs && this.leaseEnd > performance.now();
	}

	/** @param last the heartbeat before it */
	nextHeartbeat(last = this.heartbeat): string {
		return this.heartbeats[(this.heartbeats.indexOf(last ?? '') + 1) % this.heartbeats.length]!;
	}

	/**
	 * Learns from the store who has the key.
	 * @param added the marks that were not there before "sent", "open" and "sending" were recorded, if known; in a poll
	 * the heartbeats, too
	 * @returns the marks that are to be removed again
	 */
	recordClaim(added: ReadonlySet<string> | undefined, isPoll: boolean): readonly string[] {
		const polled = isPoll ? this.heartbeats : [];
		if (!added) return polled;
		// Even without "sent": where n8n forgets the oldest marks, one of the two may be left.
		if (!added.has(this.open)) this.earlier = 'inDoubt';
		else this.earlier = added.has(this.sent) ? 'notProcessed' : 'processed';
		this.isOurs = this.earlier !== 'inDoubt';
		if (isPoll) {
			this.heartbeatsSeen = polled.filter((mark) => !added.has(mark));
			this.isAbandoned = added.has(this.sending) && this.heartbeatsSeen.length === 0;
		}
		// Without "open", which may be there by mistake, "sent" would say that the item was processed.
		const over = this.isOurs ? polled : [this.sent, this.sending, ...polled];
		return over.filter((mark) => added.has(mark));
	}

	/**
	 * Whether the run that has claimed the key is dead, or has left the item in doubt. To be called once after each poll.
	 * After a death the watch begins again, since another run may take the key over first.
	 */
	judgePoll(): boolean {
		const seen = this.heartbeatsSeen?.join();
		if (seen === undefined) return false;
		const { watch } = this;
		const now = performance.now();
		if (watch?.seen !== seen) {
			this.otherRunIsAlive ||= watch !== undefined;
			this.watch = { seen, since: now, polls: 0 };
			return this.isAbandoned;
		}
		// After some polls only: the other run may have waited for the store as long as this one.
		const isWatched = watch.polls++ >= timing.pollsBeforeDeath;
		const isDead = isWatched && now - watch.since > timing.deadAfter;
		if (isDead) this.watch = undefined;
		return isDead || this.isAbandoned;
	}

	/**
	 * Learns from the store whether this run has taken the key over: not if another run has sent a heartbeat since the
	 * last poll, and not if the outcome of the item is known by now.
	 * @param added the marks that were not there before all marks of the key were recorded, if known
	 * @param willSend whether this run sends the item, and a heartbeat now
	 * @returns the marks that are to be removed again
	 */
	recordTakeOver(added: ReadonlySet<string> | undefined, willSend: boolean): readonly string[] {
		const { sent, open, takenOver, sending, heartbeats, heartbeatsSeen: seen = [] } = this;
		if (!added) return heartbeats;
		const isSilent = heartbeats.every((mark) => added.has(mark) !== seen.includes(mark));
		this.isOurs = isSilent && !added.has(open);
		if (this.isOurs && willSend) {
			this.heartbeat = this.nextHeartbeat(seen.at(-1));
			return heartbeats.filter((mark) => mark !== this.heartbeat);
		}
		if (this.isOurs) return [sending, ...heartbeats];
		return [sent, open, takenOver, sending, ...heartbeats].filter((mark) => added.has(mark));
	}
}
