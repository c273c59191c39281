// Judges whether the run that has claimed a key is still alive, by the heartbeats that polls of the key find.
import { timing } from './timing';

export class Heartbeats {
	/** By key: the heartbeats at the last poll, since when (by performance.now()) and for how many polls. */
	private readonly watches = new Map<object, { seen: string; since: number; polls: number }>();

	/**
	 * @param found in the store by a poll of the key
	 * @returns 'dead' after a long silence; then the watch begins again, since another run may take the key over first
	 */
	observe(key: object, found: readonly string[]): 'alive' | 'silent' | 'dead' {
		const now = performance.now();
		const seen = found.join();
		const watch = this.watches.get(key);
		if (watch?.seen !== seen) {
			this.watches.set(key, { seen, since: now, polls: 0 });
			return watch ? 'alive' : 'silent';
		}
		// After some polls only: the other run may have waited for the store as long as this one.
		const isWatched = watch.polls++ >= timing.pollsBeforeDeath;
		if (!isWatched || now - watch.since <= timing.deadAfter) return 'silent';
		this.watches.delete(key);
		return 'dead';
	}
}
