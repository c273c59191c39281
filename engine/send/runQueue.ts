// The queue of one run's requests. Each waits here for its slot, which the account's queue hands to the runs in turn.
import type { ReleaseSlot, AccountQueue, LastActivity, QueuedRun } from './accountQueue';

interface WaitingRequest {
	onSlot: (release: ReleaseSlot | undefined) => void;
	lastActivity: LastActivity | undefined;
}

export class RunQueue implements QueuedRun {
	private readonly waitingRequests: WaitingRequest[] = [];

	inflight = 0;

	/** Called when no request of the run is waiting any more. */
	private readonly emptyListeners: Array<() => void> = [];

	/**
	 * @param maxParallel most requests of the run under way at once, 1 or more
	 * @param stop ends the waiting of all requests
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

	/**
	 * Waits for the slot of one request; requests get theirs in the order in which they ask.
	 * @param lastActivity when data of the request last moved
	 * @returns undefined when the run has ended
	 */
	async acquireSlot(lastActivity?: LastActivity): Promise<ReleaseSlot | undefined> {
		if (this.stop.aborted) return undefined;
		return await new Promise((resolve) => {
			this.waitingRequests.push({ onSlot: resolve, lastActivity });
			this.accountQueue.join(this);
		});
	}

	startNext(release: ReleaseSlot): LastActivity | undefined {
		this.inflight++;
		const { onSlot, lastActivity } = this.waitingRequests.shift()!;
		onSlot((observation) => {
			this.inflight--;
			release(observation);
		});
		if (this.waitingRequests.length === 0) this.notifyEmpty();
		return lastActivity;
	}

	/** Resolves when no request of the run is waiting. */
	async onEmpty(): Promise<void> {
		if (this.waitingRequests.length === 0) return;
		await new Promise<void>((resolve) => this.emptyListeners.push(resolve));
	}

	private leave(): void {
		for (const { onSlot } of this.waitingRequests.splice(0)) onSlot(undefined);
		this.accountQueue.leave(this);
		this.notifyEmpty();
	}

	private notifyEmpty(): void {
		for (const listener of this.emptyListeners.splice(0)) listener();
	}
}
