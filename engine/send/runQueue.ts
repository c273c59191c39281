// A run's place in the line to the service: where its requests wait for their turn.
import type { ReleaseSlot, AccountQueue, QueuedRun } from './accountQueue';

export class RunQueue implements QueuedRun {
	private readonly waitingRequests: Array<(end: ReleaseSlot | undefined) => void> = [];

	private inflight = 0;

	/** Told when none of its requests waits any more. */
	private readonly emptyListeners: Array<() => void> = [];

	/**
	 * @param maxParallel most of them under way at once, 1 or more
	 * @param stop ends all waiting
	 */
	constructor(
		private readonly accountQueue: AccountQueue,
		readonly route: string,
		readonly isWriting: boolean,
		private readonly maxParallel: number,
		private readonly stop: AbortSignal,
	) {
		stop.addEventListener('abort', () => this.leave());
	}

	get wantsSlot(): boolean {
		return this.waitingRequests.length > 0 && this.inflight < this.maxParallel;
	}

	/** Waits for a request's turn, first come, first served; undefined when the run has ended. */
	async acquireSlot(): Promise<ReleaseSlot | undefined> {
		if (this.stop.aborted) return undefined;
		return await new Promise((resolve) => {
			this.waitingRequests.push(resolve);
			this.accountQueue.join(this);
		});
	}

	startNext(end: ReleaseSlot): void {
		this.inflight++;
		this.waitingRequests.shift()!((seen) => {
			this.inflight--;
			end(seen);
		});
		if (this.waitingRequests.length === 0) this.notifyEmpty();
	}

	/** Resolves when none of its requests waits. */
	async onEmpty(): Promise<void> {
		if (this.waitingRequests.length === 0) return;
		await new Promise<void>((resolve) => this.emptyListeners.push(resolve));
	}

	private leave(): void {
		for (const resolve of this.waitingRequests.splice(0)) resolve(undefined);
		this.accountQueue.leave(this);
		this.notifyEmpty();
	}

	private notifyEmpty(): void {
		for (const listener of this.emptyListeners.splice(0)) listener();
	}
}
