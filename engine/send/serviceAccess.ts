// What one run of a node sends its requests through: each as often as the retry policy (retryPolicy.ts) allows. What
// the run has learned from earlier requests is kept here; what all runs of the process have learned, in the account's
// queue.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Answer } from '../answer/evidence';
import { outcomeOf } from '../answer/judge';
import { circuitOf } from '../area';
import { accountOf, type Account } from '../auth/account';
import { refuseOpenProxy, type HttpRequest } from '../auth/signInRequest';
import { Failure, runEndedFailure } from '../failure';
import { pageSizeOf } from '../form/pageSize';
import { maxRunBytes } from '../http/bodyText';
import { wait, type NodeContext } from '../n8n';
import type { RetryLimits, ServiceRequest } from '../request/request';
import {
	accountQueueOf,
	type AccountQueue,
	type ReleaseSlot,
	type SendingRun,
} from './accountQueue';
import type { Pause } from './circuitBreaker';
import { delayOfNextTry, isPostponed, serviceStateOf } from './retryPolicy';
import { RunStatistics } from './runStatistics';
import { RunToken } from './runToken';
import {
	allTokensRefused,
	heldUpTooLong,
	keyRefused,
	noAnswerFailure,
	notSentInRow,
} from './sendFailures';
import { ServiceTry } from './serviceTry';
import { readCredential } from './storedCredential';
import type { Send, Try } from './try';

/**
 * Refusals in a row after which a run sends no more: two tokens end, and with the third, three requests are refused.
 */
const maxRefusalsOfRun = 5;

/** The service, as one run has access to it. */
export class ServiceAccess {
	/** The bytes that all responses of the run may have. */
	readonly budget = { bytesLeft: maxRunBytes };

	readonly runToken: RunToken;

	/** The most rows that one request of a list may ask for. */
	readonly pageSize: number;

	/** Set when no later request of this run can succeed. */
	private blocker?: Failure;

	/** Resolves when none of the run's requests so far waits for a slot. */
	private waits: Promise<unknown> = Promise.resolve();

	readonly account: Account;

	private readonly queue: AccountQueue;

	private readonly run: SendingRun;

	/**
	 * @param credentials as they were when the run began
	 * @param statistics of the run, in which tries and pauses are counted
	 */
	constructor(
		readonly ctx: NodeContext,
		readonly credentials: ICredentialDataDecryptedObject,
		run: Omit<SendingRun, 'inFlight'>,
		private readonly statistics: RunStatistics,
	) {
		this.run = { ...run, inFlight: 0 };
		this.account = accountOf(credentials);
		this.queue = accountQueueOf(this.account);
		this.runToken = new RunToken(ctx, this.account);
		this.pageSize = pageSizeOf(credentials);
	}

	/** Takes the credential's secrets out of a text. */
	readonly redactSecrets = (text: string): string => this.account.redact(text);

	/** Resolves when no request of the run waits for a slot, and none waits because the service asked for it. */
	readonly untilNoneWaits = (): Promise<unknown> => this.waits;

	readonly send: Send = async (request, requestStop) => {
		const { limits } = request;
		const { stop: runStop } = this.run;
		const stop = requestStop ? AbortSignal.any([runStop, requestStop]) : runStop;
		// How many tries count against 'Max Tries'.
		let counted = 0;
		for (let last: Try | undefined; ; ) {
			const slot = this.nextSlot(limits, stop);
			this.waits = Promise.all([this.waits, slot]).then(() => {});
			const releaseSlot = await slot;
			if (releaseSlot instanceof Failure) return this.answerOf(last, releaseSlot);
			let tried: Try | undefined;
			this.statistics.startTry();
			try {
				const started = this.startAfter(last, request);
				// A request that is in progress when the run ends is not aborted: its outcome would be in doubt.
				const shown = await new ServiceTry(this, request, started, requestStop).make();
				tried = await this.concluded(shown, last, stop);
				this.learnFrom(tried, limits);
			} finally {
				this.statistics.endTry(tried);
				releaseSlot(tried ?? {});
			}
			if (tried.status !== 401 && !isPostponed(tried)) counted++;
			const delay = delayOfNextTry(tried, counted, limits, Math.random());
			const isLast = delay === undefined || this.blocker || this.waitsTooLong(delay, limits);
			if (isLast) return this.answerOf(tried);
			if (delay > 0) await wait(delay, stop);
			last = tried;
		}
	};

	/** Whether a wait of a single request holds the run up for too long. */
	private waitsTooLong(delay: number, { maxWait }: RetryLimits): boolean {
		return delay > 0 && this.statistics.holdUp(performance.now() + delay) > maxWait;
	}

	/** Waits out the pause that the service asks for, then for a slot; gives a failure when nothing may be sent. */
	private async nextSlot(
		{ maxWait }: RetryLimits,
		stop: AbortSignal,
	): Promise<ReleaseSlot | Failure> {
		for (;;) {
			const pause = this.pauseLeft(maxWait, stop);
			if (pause instanceof Failure) return pause;
			if (pause > 0) {
				await wait(pause, stop);
				continue;
			}
			const releaseSlot = await this.queue.acquireSlot(this.run);
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
		const pause = this.queue.breaker.pauseOf(circuitOf(this.run.operation), now);
		if (!pause) return 0;
		return this.holdUp(pause, now, maxWait) ?? pause.until - now;
	}

	/** Ends the run if the pause holds it up for too long. */
	private holdUp(pause: Pause, now: number, maxWait: number): Failure | undefined {
		if (this.statistics.holdUp(pause.until) > maxWait)
			this.blocker ??= heldUpTooLong(pause, now, maxWait);
		return this.blocker;
	}

	/** What is known of a try before it is made. */
	private startAfter(last: Try | undefined, { method }: ServiceRequest): Try {
		return {
			method,
			operation: this.run.operation,
			startedAt: performance.now(),
			tries: (last?.tries ?? 0) + 1,
			maybeSent: false,
			inDoubt: last && outcomeOf(last) === 'inDoubt',
		};
	}

	/** Concludes what a try means for its request, and of the service. */
	private async concluded(shown: Try, last: Try | undefined, stop: AbortSignal): Promise<Try> {
		const { refusedToken } = shown;
		const { account, runToken } = this;
		const verdict = refusedToken && (await account.tokens.verdictOn(refusedToken, runToken, stop));
		const tried = { ...shown, verdict };
		if (stop.aborted) return tried;
		return { ...tried, serviceState: serviceStateOf(tried, last?.verdict !== undefined) };
	}

	/** Draws the conclusions for all later requests. */
	private learnFrom(tried: Try, { maxTries, maxWait }: RetryLimits): void {
		const { serviceState, verdict, startedAt, operation } = tried;
		const { breaker } = this.queue;
		const blocker = serviceState && blockerIn(tried);
		if (blocker) this.blocker ??= blocker;
		else if (serviceState === 'works') {
			this.runToken.refusedInRow = 0;
			this.statistics.endHoldUp();
			breaker.succeed(circuitOf(operation), startedAt);
		} else if (verdict) {
			if (verdict === 'giveUp' && this.runToken.refusedInRow >= maxRefusalsOfRun)
				this.blocker ??= allTokensRefused;
		} else if (serviceState) {
			const now = performance.now();
			const pause = breaker.fail(now, tried, maxWait, Math.random());
			if (!pause) return;
			// Where nothing can be sent, a try is one of all requests.
			if (!tried.maybeSent && pause.failures >= maxTries)
				this.blocker ??= notSentInRow(tried, maxTries);
			// Where 'Max Wait' is 0, the pause is over at once, and yet holds the run up.
			this.holdUp(pause, now, maxWait);
		}
	}

	/**
	 * @param obstacle why there is no other try, where the limits allow one
	 * @throws Failure when no response came, or only the refusal of a token, and there is no other to send
	 */
	private answerOf(last: Try | undefined, obstacle?: Failure): Answer {
		if (!last) throw obstacle!;
		const { status, text = '' } = last;
		if (status === undefined) throw noAnswerFailure(last);
		// The user learns more from why there is no new token than from the refusal of the old one.
		if (status === 401 && obstacle) throw noAnswerFailure({ ...last, noAnswer: obstacle });
		return { ...last, status, text, redact: this.redactSecrets };
	}
}

/** Why no later request of the run can succeed, if the try shows that. */
function blockerIn({ gateway, maybeSent, noAnswer }: Try): Failure | undefined {
	if (gateway?.reason === 'key') return keyRefused(gateway);
	if (!noAnswer || maybeSent) return undefined;
	const { message, details } = noAnswer;
	return details?.retryable === false ? new Failure(message, 'notSent', details) : undefined;
}

/**
 * Opens the service for one run or poll of a node. The credential is read once, and a renewed token is used by all
 * later requests of the run.
 * @param statistics in which what the run asks of the service is counted
 * @throws SignInError when the credential cannot be read or used, or a proxy would read what is sent; Failure when one
 * of its settings has a value that the form does not offer
 */
export async function openServiceAccess(
	ctx: NodeContext,
	run: Omit<SendingRun, 'inFlight'>,
	statistics = new RunStatistics(),
): Promise<ServiceAccess> {
	const credentials = await readCredential(ctx, run.stop);
	const access = new ServiceAccess(ctx, credentials, run, statistics);
	const httpRequest: HttpRequest = (options) => ctx.helpers.httpRequest(options);
	await refuseOpenProxy(httpRequest, access.account.settings.baseUrl);
	return access;
}
