// What one run of a node sends its requests through: each as often as the retry policy (retryPolicy.ts) allows. What
// the run has learned from earlier requests is kept here; what all runs of the process have learned, in the account's
// queue.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Operation } from '../area';
import { accountOf, type Account } from '../auth/account';
import { redact } from '../auth/redact';
import { signInFailure } from '../auth/signInError';
import { Failure, runEndedFailure } from '../failure';
import { conventionsOf, type ServiceConventions } from '../form/serviceConventions';
import { maxRunBytes } from '../http/bodyText';
import { wait, type NodeContext } from '../n8n';
import type { RetryLimits, ServiceRequest } from '../request/request';
import { accountQueueOf, RunQueue, type ReleaseSlot } from './accountQueue';
import type { Pause } from './circuitBreaker';
import type { Answer, Exchange, Send } from './exchange';
import {
	backoffDelay,
	isOverload,
	isPostponed,
	isSentAgain,
	isServiceWell,
	outcomeOf,
} from './retryPolicy';
import { RunStatistics } from './runStatistics';
import { RunToken } from './runToken';
import {
	allTokensRefused,
	heldUpTooLong,
	keyRefused,
	noAnswerFailure,
	notSentInRow,
} from './sendFailures';
import { fileOf, tryOnce } from './serviceTry';
import { readCredential } from './storedCredential';

/** Requests in a row that were refused with every token, a fresh one too, after which a run sends no more. */
const maxRefusedInRow = 3;

/** The service, as one run has access to it. */
export class ServiceAccess {
	/** The bytes that all responses of the run may have. */
	readonly budget = { bytesLeft: maxRunBytes };

	readonly runToken: RunToken;

	/** How the service does what the API spec leaves open, as the credential says. */
	readonly conventions: ServiceConventions;

	/** Set when no later request of this run can succeed. */
	private blocker?: Failure;

	private refusedInRow = 0;

	/**
	 * @param credentials as they were when the run began
	 * @param queue where the run's requests wait for a slot; after it has stopped, no request is sent
	 * @param statistics of the run, in which tries and pauses are counted
	 */
	constructor(
		readonly ctx: NodeContext,
		readonly credentials: ICredentialDataDecryptedObject,
		readonly account: Account,
		private readonly queue: RunQueue,
		private readonly statistics: RunStatistics,
	) {
		this.runToken = new RunToken(ctx, account, statistics);
		this.conventions = conventionsOf(credentials);
	}

	/** Takes the credential's secrets out of a text. */
	readonly redactSecrets = (text: string): string =>
		redact(text, this.account.settings, this.account.tokens.secrets);

	/** Resolves when no request of the run is waiting for a slot. */
	readonly onQueueEmpty = (): Promise<void> => this.queue.onEmpty();

	readonly send: Send = async (request, requestStop) => {
		const { stop: runStop } = this.queue;
		const stop = requestStop ? AbortSignal.any([runStop, requestStop]) : runStop;
		let last: Exchange | undefined;
		do {
			const releaseSlot = await this.nextSlot(request, stop);
			if (releaseSlot instanceof Failure) return answerOf(this.endedBy(releaseSlot, last));
			last = this.startAfter(last, request);
			try {
				// A request that is in progress when the run ends is not aborted: its outcome would be in doubt.
				last = await tryOnce(this, request, last, requestStop);
				await this.learnFrom(last, request.limits, stop);
			} finally {
				this.statistics.endTry(last);
				releaseSlot(last);
			}
		} while (await this.isSentAgain(last, request.limits, stop));
		return answerOf(last);
	};

	/** Waits out the pause that the service asks for, then for a slot; gives a failure when nothing may be sent. */
	private async nextSlot(
		request: ServiceRequest,
		stop: AbortSignal,
	): Promise<ReleaseSlot | Failure> {
		const { maxWait } = request.limits;
		for (;;) {
			const pause = this.pauseLeft(maxWait, stop);
			if (pause instanceof Failure) return pause;
			if (pause > 0) {
				await wait(pause, stop);
				continue;
			}
			const releaseSlot = await this.queue.acquireSlot(fileOf(request));
			// While this request waited for its slot, the response to another may have shown that it must not be sent,
			// or must wait.
			if (releaseSlot && this.pauseLeft(maxWait, stop) === 0) return releaseSlot;
			releaseSlot?.({});
		}
	}

	/** Milliseconds for which no request of the run may be sent; Failure when it may send none any more. */
	private pauseLeft(maxWait: number, stop: AbortSignal): number | Failure {
		if (this.blocker || stop.aborted) return this.blocker ?? runEndedFailure();
		const now = performance.now();
		const pause = this.queue.accountQueue.breaker.pauseOf(this.queue.operation.request, now);
		if (!pause) return 0;
		return this.holdUp(pause, now, maxWait) ?? pause.until - now;
	}

	/** Ends the run if the pause holds it up for too long. */
	private holdUp(pause: Pause, now: number, maxWait: number): Failure | undefined {
		if (this.statistics.holdUp(pause.until) > maxWait)
			this.blocker ??= heldUpTooLong(pause, now, maxWait);
		return this.blocker;
	}

	/** Starts a try: what is known of it before it is made. */
	private startAfter(last: Exchange | undefined, { method }: ServiceRequest): Exchange {
		const inDoubt = last && outcomeOf(last) === 'unknown';
		this.statistics.startTry();
		return {
			method,
			operation: this.queue.operation,
			startedAt: performance.now(),
			tries: (last?.tries ?? 0) + 1,
			triesThatCount: last?.triesThatCount ?? 0,
			refusals: last?.refusals ?? [],
			maybeSent: false,
			inDoubt,
			redact: this.redactSecrets,
		};
	}

	/** Draws the conclusions for this request, and for all later ones. */
	private async learnFrom(
		exchange: Exchange,
		{ maxTries, maxWait }: RetryLimits,
		stop: AbortSignal,
	): Promise<void> {
		const { refusedToken, refusals, startedAt } = exchange;
		if (refusedToken) {
			const verdict = await this.account.tokens.judge(refusedToken, refusals, stop);
			exchange.isFinal = verdict !== 'renew';
			exchange.concernsOnlyThisRequest = verdict === 'refusedAlone';
		}
		// A try that was stopped here shows nothing of the service.
		if (stop.aborted || exchange.endedHere) return;
		// Where tokens end sooner than the requests that carry them, fewer of these have to be in progress.
		const hasTokenEndedAgain = !!refusedToken && !exchange.isFinal && refusals.length > 1;
		if (isOverload(exchange) || hasTokenEndedAgain) exchange.isOverload = true;
		else if (exchange.concernsOnlyThisRequest ?? isServiceWell(exchange))
			exchange.isOverload = false;
		const blocker = blockerIn(exchange);
		this.blocker ??= blocker;
		if (blocker) return;
		const { breaker } = this.queue.accountQueue;
		if (exchange.isOverload === false) {
			this.refusedInRow = 0;
			this.statistics.endHoldUp();
			breaker.succeed(exchange.operation.request, startedAt);
		} else if (refusedToken) {
			if (exchange.isFinal && ++this.refusedInRow >= maxRefusedInRow)
				this.blocker = allTokensRefused;
		} else {
			const now = performance.now();
			const pause = breaker.fail(now, exchange, maxWait, Math.random());
			if (!pause) return;
			// Where nothing can be sent, a try is one of all requests.
			if (!exchange.maybeSent && pause.failures >= maxTries)
				this.blocker ??= notSentInRow(exchange, maxTries);
			this.holdUp(pause, now, maxWait);
		}
	}

	/** Whether the request gets another try; if it does, the time to wait before it is over. */
	private async isSentAgain(
		exchange: Exchange,
		limits: RetryLimits,
		stop: AbortSignal,
	): Promise<boolean> {
		const isTokenRefused = exchange.status === 401;
		if (!isTokenRefused && !isPostponed(exchange)) exchange.triesThatCount++;
		if (this.blocker || !isSentAgain(exchange, exchange.triesThatCount, limits)) return false;
		// What is wrong with the service holds all requests; what may be wrong with this one holds it alone.
		if (isTokenRefused || isOverload(exchange)) return true;
		const pause = backoffDelay(exchange.triesThatCount, Math.random());
		if (this.statistics.holdUp(performance.now() + pause) > limits.maxWait) return false;
		await wait(pause, stop);
		return true;
	}

	/** @throws Failure when nothing was sent, or no token is left to send it with */
	private endedBy(failure: Failure, last: Exchange | undefined): Exchange {
		if (!last) throw failure;
		if (!this.blocker || last.status !== 401) return last;
		// The user learns more from why there is no new token than from the refusal of the old one.
		throw noAnswerFailure({ ...last, noAnswer: this.blocker });
	}
}

/** Why no later request of the run can succeed, if the exchange shows that. */
function blockerIn({ gateway, signInError }: Exchange): Failure | undefined {
	if (gateway?.reason === 'key') return keyRefused(gateway);
	const failure = signInError && signInFailure(signInError);
	return failure?.details.retryable ? undefined : failure;
}

/** @throws Failure when no response came */
function answerOf(exchange: Exchange): Answer {
	const { status, text = '' } = exchange;
	if (status === undefined) throw noAnswerFailure(exchange);
	return { ...exchange, status, text };
}

/**
 * Opens the service for one run or poll of a node. The credential is read once, and a renewed token is used by all
 * later requests of the run.
 * @param maxParallel most requests of the run in progress at once, 1 or more
 * @param stop ends all waiting; no request is sent after it
 * @param statistics in which what the run asks of the service is counted
 * @throws SignInError when the credential cannot be read or used; Failure when one of its settings has a value that the
 * form does not offer
 */
export async function openServiceAccess(
	ctx: NodeContext,
	operation: Operation,
	maxParallel: number,
	stop: AbortSignal,
	statistics = new RunStatistics(),
): Promise<ServiceAccess> {
	const credentials = await readCredential(ctx, stop);
	const account = accountOf(credentials);
	const all = accountQueueOf(account);
	const queue = new RunQueue(all, operation, maxParallel, stop);
	return new ServiceAccess(ctx, credentials, account, queue, statistics);
}
