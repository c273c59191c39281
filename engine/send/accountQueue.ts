// The queue of all requests that this process sends to one account of the service. It holds what the process has
// learned of how much the service can take; all runs and nodes that use the account share it.
import { sleep } from 'n8n-workflow';

import { circuitOf, isWriting, type Operation } from '../area';
import type { Account } from '../auth/account';
import { unlessStopped } from '../n8n';
import { CircuitBreaker } from './circuitBreaker';
import { CongestionWindow, type Shown, type SentRequest } from './congestionWindow';

/** Milliseconds without requests after which all that was learned is forgotten. */
export const forgetStateAfter = 60_000;

/**
 * Requests that begin in one turn of the event loop. Node.js sends all of a turn at its end, and what is answered at
 * once begins as many others at once, while nothing else in this process gets its turn.
 */
const maxBegunInTurn = 8;

/** Gives back the slot of a request: called once, when the request has ended or turns out not to be sent. */
export type ReleaseSlot = (shown: Shown) => void;

/** A run that sends requests to the account. */
export interface SendingRun {
	readonly operation: Operation;
	/** Most requests of the run in progress at once, 1 or more. */
	readonly maxParallel: number;
	/** Ends all waiting; no request of the run is sent after it. */
	readonly stop: AbortSignal;
	/** How many of the run's requests are in progress. */
	inFlight: number;
}

interface WaitingRequest {
	run: SendingRun;
	onSlot: (release: ReleaseSlot) => void;
}

export class AccountQueue {
	private window = new CongestionWindow();

	/** By performance.now(): when a request last ended. */
	private lastUsedAt = -Infinity;

	readonly breaker = new CircuitBreaker();

	/** In the order in which they asked. */
	private readonly waiting = new Set<WaitingRequest>();

	private begunInTurn = 0;

	/**
	 * Waits for the slot of one request; those of a run get theirs in the order in which they ask.
	 * @returns undefined when the run has ended
	 */
	async acquireSlot(run: SendingRun): Promise<ReleaseSlot | undefined> {
		let request!: WaitingRequest;
		const slot = new Promise<ReleaseSlot>((onSlot) => (request = { run, onSlot }));
		this.waiting.add(request);
		this.dispatch();
		return await unlessStopped(slot, run.stop).finally(() => this.waiting.delete(request));
	}

	/** Starts requests as long as they may begin. */
	private dispatch(): void {
		while (this.begunInTurn < maxBegunInTurn) {
			const next = this.nextRequest();
			if (!next) return;
			this.start(next);
		}
	}

	/** Of the runs that may begin another request, the one that has the fewest in progress comes first. */
	private nextRequest(): WaitingRequest | undefined {
		const seen = new Set<SendingRun>();
		let next: WaitingRequest | undefined;
		for (const request of this.waiting) {
			const { run } = request;
			if (seen.has(run)) continue;
			seen.add(run);
			if (next && run.inFlight >= next.run.inFlight) continue;
			if (this.mayBegin(run)) next = request;
		}
		return next;
	}

	/** A run may always have one request: it does not wait until those of another run end, which may hang. */
	private mayBegin({ inFlight, maxParallel, operation, stop }: SendingRun): boolean {
		const { window } = this;
		if (stop.aborted || inFlight >= maxParallel || this.isTrying(circuitOf(operation)))
			return false;
		return window.admits(isWriting(operation)) || (inFlight === 0 && window.hasHeadroom);
	}

	/** Whether a request of the route is in progress that will show whether the service works again. */
	private isTrying(route: string): boolean {
		const failedAt = this.breaker.failedAt(route);
		if (failedAt === undefined) return false;
		return [...this.window.underWay].some(
			(request) => request.route === route && request.begunAt >= failedAt,
		);
	}

	private start(waiting: WaitingRequest): void {
		const { run, onSlot } = waiting;
		this.waiting.delete(waiting);
		const now = performance.now();
		const isUnused = this.window.underWay.size === 0 && now - this.lastUsedAt > forgetStateAfter;
		if (isUnused) this.window = new CongestionWindow();
		const request = this.window.begin(circuitOf(run.operation), now);
		run.inFlight++;
		if (this.begunInTurn++ === 0) void sleep(0).then(() => this.beginTurn());
		onSlot((shown) => this.end(run, request, shown));
	}

	private beginTurn(): void {
		this.begunInTurn = 0;
		this.dispatch();
	}

	private end(run: SendingRun, request: SentRequest, shown: Shown): void {
		this.lastUsedAt = performance.now();
		this.window.end(request, shown);
		run.inFlight--;
		this.dispatch();
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
