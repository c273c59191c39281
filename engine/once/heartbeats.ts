// Judges whether the runs that have claimed a key are still alive, by the heartbeats that polls of the key find.
import { timing } from './timing';

interface Watch {
	/** The heartbeats at the last poll. */
	seen: string;
	/** By performance.now(). */
	changedAt: number;
	/** Polls without a change since. */
	polls: number;
}

export class Heartbeats {
	private readonly watches = new Map<object, Watch>();

	/**
	 * @param heartbeats that a poll of the key has just found
	 * @returns 'dead' after a long silence; then the watch begins again, since another run may take the key over first
	 */
	observe(key: object, heartbeats: readonly string[]): 'alive' | 'silent' | 'dead' {
		const now = performance.now();
		const seen = heartbeats.join();
		const watch = this.watches.get(key);
		if (watch?.seen !== seen) {
			this.watches.set(key, { seen, changedAt: now, polls: 0 });
			return watch ? 'alive' : 'silent';
		}
		// After some polls only: the other run may have waited for the store as long as this one.
		const isDead =
			watch.polls++ >= timing.pollsBeforeDeath && now - watch.changedAt > timing.deadAfter;
		if (isDead) this.watches.delete(key);
		return isDead ? 'dead' : 'silent';
	}
}
