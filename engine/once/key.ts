// The key of an item in a run with Send Once: its marks in n8n's store, and what the run knows of it.
import type { ItemOutcome } from '../items/results';
import type { Job } from '../kinds/job';

/**
 * The store keeps hashes of a key's marks. "Sent" and "open" are recorded before the item is sent. Once the outcome is
 * known, "open" is removed; if the item was certainly not processed, "sent" is removed too. So whatever dies, and
 * whenever: an item that may have been sent has a mark.
 */
export class Key {
	/** The mark of an item that was sent at some time, or is about to be sent. */
	readonly sent: string;

	/** The mark of an item whose outcome is not known. */
	readonly open: string;

	/** The mark of a run that has taken the key over from a silent one. */
	readonly takenOver: string;

	/**
	 * The run that still has to send the item keeps replacing one of these marks with the next. All runs that wait for
	 * the key see the change, since polling changes nothing.
	 */
	readonly heartbeats: readonly string[];

	/** The outcome of the item in all earlier runs. */
	earlier: ItemOutcome = 'inDoubt';

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

	/** Whether another run has lived while this one waited: what a person looked up before is out of date. */
	otherRunIsAlive = false;

	/** Whether this run sends the item once it has taken the key over. */
	willSend = false;

	/** @param scope in which keys are unique */
	constructor(
		readonly job: Job,
		scope: string,
	) {
		const marked = `${scope}\n${this.value}`;
		this.sent = `sent\n${marked}`;
		this.open = `open\n${marked}`;
		this.takenOver = `taken over\n${marked}`;
		this.heartbeats = ['a', 'b', 'c'].map((name) => `sign ${name}\n${marked}`);
	}

	get itemIndex(): number {
		return this.job.itemIndex;
	}

	/** As the user gave it. */
	get value(): string {
		return this.job.values.settings.sendOnceKey!;
	}

	/** Whether it is certain that no other run sends the item. */
	get isHeld(): boolean {
		return this.isOurs && this.leaseEnd > performance.now();
	}

	/** @param last the heartbeat before it */
	nextHeartbeat(last = this.heartbeat): string {
		return this.heartbeats[(this.heartbeats.indexOf(last ?? '') + 1) % this.heartbeats.length]!;
	}

	/** @param added the marks that were not in the store before, when all of the key's heartbeats were recorded */
	heartbeatsBefore(added: ReadonlySet<string>): string[] {
		return this.heartbeats.filter((heartbeat) => !added.has(heartbeat));
	}

	/** @param added the marks that were not in the store before "sent" and "open" were recorded */
	recordClaim(added: ReadonlySet<string>): void {
		// Even without "sent": where n8n forgets the oldest marks, one of the two may be left.
		if (!added.has(this.open)) this.earlier = 'inDoubt';
		else this.earlier = added.has(this.sent) ? 'notProcessed' : 'processed';
		this.isOurs = this.earlier !== 'inDoubt';
	}
}
