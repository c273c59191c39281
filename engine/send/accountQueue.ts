// The queue of all requests that this process sends to one account of the service. It holds what the process has
// learned of how much the service can take; all runs and nodes that use the account share it.
import type { Account } from '../auth/account';
import { readClock } from '../http/clock';
import { CongestionWindow, type Observation } from './congestionWindow';

/** Milliseconds. After an hour the service is asked again, however long it asked to wait. */
const maxPause = 3_600_000;

/** Gives back the slot of a request: called once, when the request has ended or turns out not to be sent. */
export type ReleaseSlot = (observation: Observation) => void;

/** What the queue needs to know of a run that sends requests. */
export interface QueuedRun {
	/** The route of the run's operation: the delays of requests are compared within their route. */
	readonly route: string;
	/** Whether its requests change something. */
	readonly isWriting: boolean;
	/** Whether it has a request to send, and may send it now. */
	readonly wantsSlot: boolean;
	/** Hands a slot to the first of its waiting requests. */
	startNext: (release: ReleaseSlot) => void;
}

export class AccountQueue {
	private readonly window = new CongestionWindow();

	/** By performance.now(). When the service asks one request to wait, all requests wait. */
	private pausedUntil = -Infinity;

	/** By performance.now(). Set while all requests wait until a quota is replenished; it may be later than they wait. */
	private quotaEndsAt?: number;

	/** Runs that want a slot, first come, first served. A run is in it once, however many requests it has. */
	private readonly waitingRuns: QueuedRun[] = [];

	/** Makes all requests wait. A shorter pause does not end a longer one. */
	pauseFor(milliseconds: number, isQuotaUsedUp = false): void {
		const now = performance.now();
		const until = now + Math.min(milliseconds, maxPause);
		if (until <= this.pausedUntil) return;
		this.pausedUntil = until;
		this.quotaEndsAt = isQuotaUsedUp ? now + milliseconds : undefined;
	}

	/** Milliseconds until a request may be sent; 0 or less means now. */
	get pauseLeft(): number {
		return this.pausedUntil - performance.now();
	}

	/** Milliseconds until the quota is replenished for which all requests wait; undefined when they wait for none. */
	get quotaLeft(): number | undefined {
		return this.quotaEndsAt === undefined ? undefined : this.quotaEndsAt - performance.now();
	}

	/** How many requests may be under way at once. */
	get maxInflight(): number {
		return this.window.limit;
	}

	join(run: QueuedRun): void {
		this.enqueue(run);
		this.startWaiting();
	}

	leave(run: QueuedRun): void {
		const index = this.waitingRuns.indexOf(run);
		if (index >= 0) this.waitingRuns.splice(index, 1);
		this.startWaiting();
	}

	private enqueue(run: QueuedRun): void {
		if (run.wantsSlot && !this.waitingRuns.includes(run)) this.waitingRuns.push(run);
	}

	/** Starts requests as long as the window admits them, one of each waiting run in turn. */
	private startWaiting(): void {
		for (;;) {
			const [run] = this.waitingRuns;
			if (!run || !this.window.admits(run.isWriting)) return;
			this.waitingRuns.shift();
			const requestNumber = this.window.requestBegins(readClock());
			run.startNext((observation) => {
				this.window.requestEnds(requestNumber, run.route, observation, readClock());
				this.join(run);
			});
			this.enqueue(run);
		}
	}
}

/** A queue is forgotten together with its account. */
const queuesByAccount = new WeakMap<Account, AccountQueue>();

/** @returns the one queue of this process for this account */
export function accountQueueOf(account: Account): AccountQueue {
	const queue = queuesByAccount.get(account) ?? new AccountQueue();
	queuesByAccount.set(account, queue);
	return queue;
}
