// Limits all requests that this process sends to one account: it decides which request begins now, and what the others
// wait for. It keeps what the process has learned about the service; all runs and nodes that use the account share it.
import { sleep } from 'n8n-workflow';

import { circuitOf, isWriting } from '../area';
import type { Account } from '../auth/account';
import { runEndedFailure, type Failure } from '../failure';
import { onAbort, wait } from '../n8n';
import type { RetryLimits } from '../request/request';
import { CircuitBreaker, type Pause } from './circuitBreaker';
import { CongestionWindow, type SentRequest } from './congestionWindow';
import type { Try } from './retryPolicy';
import { heldUpTooLong, unavailable } from './sendFailures';
import type { SendingRun } from './sendingRun';

/** Milliseconds without requests after which all that the window has learned is forgotten. */
export const forgetStateAfter = 60_000;

/**
 * Maximum requests that begin in one turn of the event loop. Node.js flushes a turn's requests together: if all got
 * their responses together, as many would begin again, and nothing else in the process would run.
 */
const maxBegunInTurn = 8;

/** A request that begins, or why it must not be sent any more. */
type Admission = SentRequest | Failure;

/** A request that waits to begin. */
interface Waiting {
	readonly run: SendingRun;
	readonly limits: RetryLimits;
	readonly stop: AbortSignal;
	settle: (result: Admission) => void;
	forgetStop?: () => void;
}

export class Limiter {
	private window = new CongestionWindow();

	private readonly breaker = new CircuitBreaker();

	/** When a request last ended, by performance.now(). */
	private lastUsedAt = -Infinity;

	/** In the order of their calls to enter(). */
	private readonly waiting = new Set<Waiting>();

	private begunInTurn = 0;

	/** Rings when the first pause that a request waits for is over. */
	private alarm?: AbortController;

	/**
	 * Waits until a request of the run may begin; a run's requests begin in the order in which they ask.
	 * @param stop ends the waiting, as the run's own `stop` does
	 * @returns the request, which counts until leave(); a Failure if it must not be sent any more; a promise of these only
	 * if it has to wait, since most requests do not
	 */
	enter(run: SendingRun, limits: RetryLimits, stop: AbortSignal): Admission | Promise<Admission> {
		let result: Admission | undefined;
		const waiting: Waiting = { run, limits, stop, settle: (value) => (result = value) };
		this.waiting.add(waiting);
		this.dispatch();
		if (result) return result;
		return new Promise((settle) => {
			waiting.settle = settle;
			waiting.forgetStop = onAbort(stop, () => this.dispatch());
		});
	}

	/** Lets requests begin as long as any may, and ends those that must not be sent any more. */
	private dispatch(): void {
		const now = performance.now();
		const isUnused = this.window.inFlight.size === 0 && now - this.lastUsedAt > forgetStateAfter;
		if (isUnused) this.window = new CongestionWindow();
		let firstEnd = Infinity;
		for (const waiting of this.waiting) {
			const { run, limits, stop } = waiting;
			const pause = this.pauseOf(waiting, now);
			if (pause) this.holdUp(run, limits, pause, now);
			if (run.blocker || stop.aborted) this.end(waiting, run.blocker ?? runEndedFailure());
			else if (pause) firstEnd = Math.min(firstEnd, pause.until);
		}
		while (this.begunInTurn < maxBegunInTurn) {
			const next = this.nextRequest(now);
			if (!next) break;
			this.end(next, this.begin(next.run, now));
		}
		this.setAlarm(firstEnd - now);
	}

	private pauseOf({ run }: Waiting, now: number): Pause | undefined {
		return this.breaker.pauseOf(circuitOf(run.operation), now);
	}

	/** Among the runs that may begin another request, the one with the fewest in progress comes first. */
	private nextRequest(now: number): Waiting | undefined {
		let next: Waiting | undefined;
		for (const waiting of this.waiting)
			if (waiting.run.inFlight < (next?.run.inFlight ?? Infinity) && this.mayBegin(waiting, now))
				next = waiting;
		return next;
	}

	/**
	 * A request that may not begin waits until its circuit's pause is over, or another request ends or hangs: for its
	 * place, or for what it will show about the service.
	 */
	private mayBegin(waiting: Waiting, now: number): boolean {
		const { operation, maxParallel, inFlight } = waiting.run;
		const [route, isWrite] = [circuitOf(operation), isWriting(operation)];
		if (inFlight >= maxParallel || this.pauseOf(waiting, now)) return false;
		// A run may always have one request, so that it does not wait for those of another run.
		if (!this.window.admits(isWrite, inFlight === 0)) return false;
		return !this.window.isTrying(route, isWrite, this.breaker.halfOpenSince(route));
	}

	/**
	 * Checks all again when the first pause that a request waits for is over. A leftover timer would keep a process alive
	 * that has nothing else to do. A timer may ring a moment early.
	 */
	private setAlarm(milliseconds: number): void {
		this.alarm?.abort();
		if (milliseconds === Infinity) return;
		const { signal } = (this.alarm = new AbortController());
		void wait(milliseconds, signal).then(() => signal.aborted || this.dispatch());
	}

	/** Records that a run is held up, and ends it if that lasts too long. */
	private holdUp(run: SendingRun, { maxWait }: RetryLimits, pause: Pause, now: number): void {
		if (run.holdUp(pause.until) > maxWait) run.blocker ??= heldUpTooLong(pause, now, maxWait);
	}

	private end(waiting: Waiting, result: Admission): void {
		this.waiting.delete(waiting);
		waiting.forgetStop?.();
		waiting.settle(result);
	}

	private begin(run: SendingRun, now: number): SentRequest {
		run.startTry();
		if (this.begunInTurn++ === 0) void sleep(0).then(() => this.beginTurn());
		return this.window.begin(circuitOf(run.operation), isWriting(run.operation), now);
	}

	private beginTurn(): void {
		this.begunInTurn = 0;
		this.dispatch();
	}

	/** Call this when a request hangs: others get its place. */
	markHanging(sent: SentRequest): void {
		this.window.markHanging(sent);
		this.dispatch();
	}

	/**
	 * Call this once a request has ended. It draws the conclusions for all later ones.
	 * @param tried undefined if it was not sent after all
	 */
	leave(sent: SentRequest, run: SendingRun, limits: RetryLimits, tried?: Try): void {
		const now = (this.lastUsedAt = performance.now());
		this.window.end(sent, tried ?? {});
		run.endTry(tried);
		if (tried?.serviceState === 'works') {
			run.endHoldUp();
			this.breaker.succeed(sent.route, tried.startedAt);
		} else if (tried?.serviceState && !tried.meaningOf401) {
			const pause = this.breaker.fail(now, tried, limits.maxWait, Math.random());
			// If nothing can be sent, a try counts for all requests.
			if (pause && !tried.maybeSent && pause.failures >= limits.maxTries)
				run.blocker ??= unavailable(tried, ` in ${limits.maxTries} tries in a row`);
			// With 'Max Wait' 0, the pause is over at once, and still holds the run up.
			if (pause) this.holdUp(run, limits, pause, now);
		}
		this.dispatch();
	}
}

/** A limiter is forgotten with its account. */
const limitersByAccount = new WeakMap<Account, Limiter>();

/** @returns this process's one limiter for the account */
export function limiterOf(account: Account): Limiter {
	const limiter = limitersByAccount.get(account) ?? new Limiter();
	limitersByAccount.set(account, limiter);
	return limiter;
}
