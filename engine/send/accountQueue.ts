// The queue of all requests that this process sends to one account of the service. It holds what the process has
// learned of how much the service can take; all runs and nodes that use the account share it.
import type { Account } from '../auth/account';
import { readClock, type ClockReading } from '../http/clock';
import { CongestionWindow, type Observation, type RequestNumber } from './congestionWindow';
import { Connections } from './connections';
import { OverdueTimes } from './overdue';
import { Pauses, type AskedToWait, type PauseLeft } from './pauses';

/** Milliseconds between two looks at whether a request is overdue. */
const lookEvery = 1000;

/** Gives back the slot of a request: called once, when the request has ended or turns out not to be sent. */
export type ReleaseSlot = (observation: Observation) => void;

/** When data of a request last moved, such as the bytes of a file; undefined while none has. */
export type LastActivity = () => ClockReading | undefined;

/** What the queue needs to know of a run that sends requests. */
export interface QueuedRun {
	/** The route of the run's operation: the delays of requests are compared within their route. */
	readonly route: string;
	/** Whether its requests change something. */
	readonly isWriting: boolean;
	/** Whether it has a request to send, and may send it now. */
	readonly wantsSlot: boolean;
	/** How many of its requests are under way. */
	readonly inflight: number;
	/** Hands a slot to the first of its waiting requests. @returns what tells when its data last moved */
	startNext: (release: ReleaseSlot) => LastActivity | undefined;
}

interface RequestUnderWay {
	run: QueuedRun;
	begunAt: ClockReading;
	/** Milliseconds after which it is overdue, by what was known when it began. */
	overdueAfter: number;
	isOverdue: boolean;
	lastActivity: LastActivity | undefined;
}

export class AccountQueue {
	private readonly window = new CongestionWindow(performance.timeOrigin);

	private readonly overdueTimes = new OverdueTimes();

	private readonly pauses = new Pauses();

	private readonly underWay = new Map<RequestNumber, RequestUnderWay>();

	/** Runs that want a slot, first come, first served. A run is in it once, however many requests it has. */
	private readonly waitingRuns: QueuedRun[] = [];

	/** Runs that have a request under way, or want a slot. */
	private readonly runs = new Set<QueuedRun>();

	private isLooking = false;

	/** @param connections those of this process */
	constructor(private readonly connections: Connections) {}

	get inflight(): number {
		return this.underWay.size;
	}

	/** Makes requests wait because the service asked one to. */
	pauseFor(milliseconds: number, asked: AskedToWait = {}): void {
		this.pauses.begin(performance.now(), milliseconds, asked);
	}

	/** How long a request of the route has to wait, and what for. */
	pauseLeft(route: string): PauseLeft {
		return this.pauses.left(performance.now(), route);
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
		this.forgetIfDone(run);
		this.startWaiting();
	}

	/** Called when it is this account's turn to have a connection. */
	takeConnections(): void {
		this.startWaiting();
	}

	private enqueue(run: QueuedRun): void {
		if (!run.wantsSlot) return this.forgetIfDone(run);
		this.runs.add(run);
		if (!this.waitingRuns.includes(run)) this.waitingRuns.push(run);
	}

	private forgetIfDone(run: QueuedRun): void {
		if (run.inflight === 0 && !run.wantsSlot) this.runs.delete(run);
	}

	/**
	 * Whether a request of the run may begin. A run may always have its share of the window, and one request at least:
	 * it does not wait until the requests of another run end, which may hang.
	 */
	private admits(run: QueuedRun, at: ClockReading): boolean {
		if (this.window.admits(run.isWriting, at)) return true;
		const share = Math.max(1, Math.floor(this.window.limit / this.runs.size));
		return run.inflight < share && this.window.hasReserve;
	}

	/** Starts requests as long as the window admits them, one of each waiting run in turn. */
	private startWaiting(): void {
		for (;;) {
			const at = readClock();
			const index = this.waitingRuns.findIndex((run) => this.admits(run, at));
			if (index < 0) return this.connections.leave(this);
			if (!this.connections.take(this)) return;
			const [run] = this.waitingRuns.splice(index, 1) as [QueuedRun];
			this.start(run, at);
			this.enqueue(run);
		}
	}

	private start(run: QueuedRun, at: ClockReading): void {
		const requestNumber = this.window.requestBegins(at);
		const request: RequestUnderWay = {
			run,
			begunAt: at,
			overdueAfter: this.overdueTimes.after(run.route),
			isOverdue: false,
			lastActivity: undefined,
		};
		this.underWay.set(requestNumber, request);
		request.lastActivity = run.startNext((observation) => {
			const { isOverload, delay } = observation;
			if (isOverload === false) this.overdueTimes.noteAnswer(run.route, delay?.now);
			this.underWay.delete(requestNumber);
			this.window.requestEnds(requestNumber, run.route, observation, readClock());
			this.connections.giveBack();
			this.join(run);
		});
		this.lookForOverdue();
	}

	/** Looks at the requests under way from time to time, as long as there are any. */
	private lookForOverdue(): void {
		if (this.isLooking || this.underWay.size === 0) return;
		this.isLooking = true;
		AbortSignal.timeout(lookEvery).addEventListener('abort', () => {
			this.isLooking = false;
			const now = readClock();
			for (const [requestNumber, request] of this.underWay) {
				if (request.isOverdue || !this.isOverdue(request, now)) continue;
				request.isOverdue = true;
				this.overdueTimes.noteOverdue(request.run.route, request.begunAt.now, now.now);
				this.window.requestIsOverdue(requestNumber, now);
			}
			this.startWaiting();
			this.lookForOverdue();
		});
	}

	/** Only the time counts in which this process had nothing to do: else an answer may be there, and not be read yet. */
	private isOverdue(request: RequestUnderWay, now: ClockReading): boolean {
		const { begunAt, overdueAfter, lastActivity } = request;
		const movedAt = Math.max(begunAt.idle, lastActivity?.()?.idle ?? begunAt.idle);
		return now.idle - movedAt >= overdueAfter;
	}
}

const connections = new Connections();

/** A queue is forgotten together with its account. */
const queuesByAccount = new WeakMap<Account, AccountQueue>();

/** @returns the one queue of this process for this account */
export function accountQueueOf(account: Account): AccountQueue {
	const queue = queuesByAccount.get(account) ?? new AccountQueue(connections);
	queuesByAccount.set(account, queue);
	return queue;
}
