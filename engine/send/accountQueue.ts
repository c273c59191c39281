// The line to the service: what this process has learned of how much an account's service bears. All runs and
// nodes of the process with the same account share it.
import type { Account } from '../auth/account';
import { readClock } from '../http/clock';
import { CongestionWindow, type Observation } from './congestionWindow';

/** Milliseconds: the service is asked again after an hour, however long it asked to wait. */
const maxPause = 3_600_000;

/** Ends a request's turn: to be called once, when it has come to its end, or is not sent after all. */
export type ReleaseSlot = (seen: Observation) => void;

/** One run, as the line sees it. */
export interface QueuedRun {
	/** Kind of its requests: the route of its operation. */
	readonly route: string;
	/** Whether its requests change something. */
	readonly isWriting: boolean;
	/** Whether it has a request to send. */
	readonly wantsSlot: boolean;
	/** Gives the first of its requests its turn. */
	startNext: (end: ReleaseSlot) => void;
}

export class AccountQueue {
	private readonly window = new CongestionWindow();

	/** By performance.now(): what the service asked one request to wait for, all wait for. */
	private pausedUntil = -Infinity;

	/** Runs that have a request to send, first come, first served: each stands here once, whatever it has to send. */
	private readonly waitingRuns: QueuedRun[] = [];

	/** Holds all requests back. */
	pauseFor(milliseconds: number): void {
		const asked = performance.now() + Math.min(milliseconds, maxPause);
		this.pausedUntil = Math.max(this.pausedUntil, asked);
	}

	/** Milliseconds until a request may be sent; 0 or less: now. */
	get pauseLeft(): number {
		return this.pausedUntil - performance.now();
	}

	join(run: QueuedRun): void {
		this.enqueue(run);
		this.startWaiting();
	}

	leave(run: QueuedRun): void {
		const at = this.waitingRuns.indexOf(run);
		if (at >= 0) this.waitingRuns.splice(at, 1);
		this.startWaiting();
	}

	/** Puts a run at the end of the line, if it has something to send. */
	private enqueue(run: QueuedRun): void {
		if (run.wantsSlot && !this.waitingRuns.includes(run)) this.waitingRuns.push(run);
	}

	private startWaiting(): void {
		for (;;) {
			const [run] = this.waitingRuns;
			if (!run || !this.window.admits(run.isWriting)) return;
			this.waitingRuns.shift();
			const ticket = this.window.requestBegins(readClock());
			run.startNext((seen) => {
				this.window.requestEnds(ticket, run.route, seen, readClock());
				this.join(run);
			});
			this.enqueue(run);
		}
	}
}

/** Forgotten with their accounts. */
const queuesByAccount = new WeakMap<Account, AccountQueue>();

/** @returns the one line of this process to this account's service */
export function accountQueueOf(account: Account): AccountQueue {
	const line = queuesByAccount.get(account) ?? new AccountQueue();
	queuesByAccount.set(account, line);
	return line;
}
