// The queue of all requests that this process sends to one account of the service. It holds what the process has
// learned of how much the service can take; all runs and nodes that use the account share it.
import { sleep } from 'n8n-workflow';

import { isWriting, type Operation } from '../area';
import type { Account } from '../auth/account';
import { onAbort } from '../n8n';
import { CircuitBreaker } from './circuitBreaker';
import { CongestionWindow, type Shown, type SentRequest } from './congestionWindow';

/** Milliseconds between two looks at whether a request is overdue. */
const overdueCheckInterval = 1000;

/** Milliseconds without requests after which all that was learned is forgotten. */
export const forgetStateAfter = 60_000;

/**
 * Requests that begin in one turn of the event loop. Node.js sends all of a turn at its end, and what is answered at
 * once begins as many others at once, while nothing else in this process gets its turn.
 */
const maxBegunInTurn = 8;

/** Gives back the slot of a request: called once, when the request has ended or turns out not to be sent. */
export type ReleaseSlot = (shown: Shown) => void;

interface WaitingRequest {
	/** Called with nothing when the run has ended. */
	onSlot: (release?: ReleaseSlot) => void;
	file: SentRequest['file'];
}

/** The requests of one run: each waits here for its slot, which the account's queue gives to the runs in turn. */
export class RunQueue {
	readonly waiting: WaitingRequest[] = [];

	/** How many of the run's requests are in progress. */
	inFlight = 0;

	/** Ends the listening to `stop`: Node.js 20 keeps a combined signal that has a listener for ever. */
	forgetStop?: () => void;

	/** That of the request that asked last. */
	private lastSlot: Promise<ReleaseSlot | undefined> = Promise.resolve(undefined);

	/**
	 * @param operation of the run
	 * @param maxParallel most requests of the run in progress at once, 1 or more
	 * @param stop ends the waiting of all requests
	 */
	constructor(
		readonly accountQueue: AccountQueue,
		readonly operation: Operation,
		readonly maxParallel: number,
		readonly stop: AbortSignal,
	) {}

	private readonly endWaiting = (): void => {
		for (const { onSlot } of this.waiting.splice(0)) onSlot();
		this.accountQueue.removeIfIdle(this);
	};

	/**
	 * Waits for the slot of one request; requests get theirs in the order in which they ask.
	 * @param file the file that is sent, if it is an upload: while it is read, the request is not overdue
	 * @returns undefined when the run has ended
	 */
	async acquireSlot(file?: SentRequest['file']): Promise<ReleaseSlot | undefined> {
		if (this.stop.aborted) return undefined;
		this.forgetStop ??= onAbort(this.stop, this.endWaiting);
		this.lastSlot = new Promise((onSlot) => {
			this.waiting.push({ onSlot, file });
			this.accountQueue.dispatch(this);
		});
		return await this.lastSlot;
	}

	/** Resolves when no request of the run is waiting. */
	async onEmpty(): Promise<void> {
		while (this.waiting.length > 0) await this.lastSlot;
	}
}

export class AccountQueue {
	private window = new CongestionWindow();

	/** By performance.now(): when a request last ended. */
	private lastUsedAt = -Infinity;

	readonly breaker = new CircuitBreaker();

	/** Runs with requests that wait or are in progress; the one that got a slot last is the last of them. */
	private readonly runs = new Set<RunQueue>();

	private isLooking = false;

	private begunInTurn = 0;

	/**
	 * Starts requests as long as they may begin, one of each run in turn.
	 * @param run one that may be new here
	 */
	dispatch(run?: RunQueue): void {
		if (run) this.runs.add(run);
		while (this.begunInTurn < maxBegunInTurn) {
			const next = this.nextRun();
			if (!next) return;
			this.start(next);
		}
	}

	/**
	 * The run whose turn it is. A run may always have its share of the window, and one request at least: it does not
	 * wait until the requests of another run end, which may hang.
	 */
	private nextRun(): RunQueue | undefined {
		const { window, runs } = this;
		return [...runs].find(({ waiting, inFlight, maxParallel, operation }) => {
			if (waiting.length === 0 || inFlight >= maxParallel) return false;
			if (this.isTrying(operation.route)) return false;
			const isWrite = isWriting(operation);
			const share = Math.max(1, Math.floor(window.limitFor(isWrite) / runs.size));
			return window.admits(isWrite) || (inFlight < share && window.hasHeadroom);
		});
	}

	/** Whether a request of the route is in progress that will show whether the service works again. */
	private isTrying(route: string): boolean {
		const failedAt = this.breaker.failedAt(route);
		if (failedAt === undefined) return false;
		return [...this.window.underWay].some(
			(request) => request.route === route && request.begunAt >= failedAt && !request.isOverdue,
		);
	}

	private start(run: RunQueue): void {
		const { onSlot, file } = run.waiting.shift()!;
		const now = performance.now();
		const isUnused = this.window.underWay.size === 0 && now - this.lastUsedAt > forgetStateAfter;
		if (isUnused) this.window = new CongestionWindow();
		const request = this.window.begin(run.operation.route, now, file);
		run.inFlight++;
		if (this.begunInTurn++ === 0) void sleep(0).then(() => this.beginTurn());
		// Whose turn it was goes to the end of the line.
		this.runs.delete(run);
		this.runs.add(run);
		onSlot((shown) => this.end(run, request, shown));
		this.lookForOverdue();
	}

	private beginTurn(): void {
		this.begunInTurn = 0;
		this.dispatch();
	}

	private end(run: RunQueue, request: SentRequest, shown: Shown): void {
		this.lastUsedAt = performance.now();
		this.window.end(request, shown);
		run.inFlight--;
		this.removeIfIdle(run);
	}

	/** A run with nothing to send needs no share of the window. */
	removeIfIdle(run: RunQueue): void {
		if (run.inFlight === 0 && run.waiting.length === 0) {
			this.runs.delete(run);
			run.forgetStop?.();
			run.forgetStop = undefined;
		}
		this.dispatch();
	}

	/** Looks at the requests in progress from time to time, as long as there are any. */
	private lookForOverdue(): void {
		if (this.isLooking || this.window.underWay.size === 0) return;
		this.isLooking = true;
		AbortSignal.timeout(overdueCheckInterval).addEventListener('abort', () => {
			this.isLooking = false;
			this.window.markOverdue(performance.now());
			this.dispatch();
			this.lookForOverdue();
		});
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
