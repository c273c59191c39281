// Sends the requests of one run, each as often as the retry policy (retryPolicy.ts) allows. What the run has learned
// from earlier requests is kept here; what all runs of the process have learned is kept in the account's queue.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import {
	runEndedBefore,
	Failure,
	adviceRunLater,
	adviceLookUp,
	type FailureCode,
} from '../failure';
import { quotaUsedUp } from '../http/gatewayAnswer';
import { isServiceError } from '../http/gatewayAnswer';
import { Multipart } from '../request/multipart';
import type { ServiceRequest } from '../request/request';
import type { Answer, TryResult, Send, SendTry } from './sendTypes';
import type { AccountQueue } from './accountQueue';
import type { RunQueue } from './runQueue';
import type { RunStatistics } from './runStatistics';
import {
	backoffDelay,
	isOverload,
	retryDelay,
	outcomeOf,
	wasProcessed,
	type TryEvidence,
} from './retryPolicy';
import type { Observation } from './congestionWindow';

/**
 * After this many requests in a row that failed in all their tries, because the service did not answer or was too
 * busy, a run sends no more: each further one might leave a record in doubt, and would take as long again.
 */
export const maxFailedInRow = 10;

/**
 * How often a request is sent again because its token was refused. It was not processed then, so this does not count
 * as a try. Where several processes sign in to one account, each may end the tokens of the others.
 */
export const maxResendsAfter401 = 10;

const notSent = (code: FailureCode, why: string): Failure =>
	new Failure(`Not sent: ${why}`, 'notSent', { code, advice: adviceRunLater, retryable: true });

const serviceUnavailable = ({ status }: TryResult['evidence']): Failure =>
	notSent(
		'serviceUnavailable',
		status === undefined || status < 400
			? `the service did not answer the last ${maxFailedInRow} requests of this run`
			: `the service was too busy (status ${status}) for the last ${maxFailedInRow} requests of this run`,
	);

/** @param why what is waited for, and how long */
const waitTooLong = (code: FailureCode, why: string): Failure =>
	notSent(code, `${why}, which is longer than 'Max Wait (Seconds)' allows`);

/** Set when the gateway says that a quota is used up, and this run does not wait until it is replenished. */
function quotaObstacle({ gateway, retryAfter }: TryEvidence, maxWait: number): Failure | undefined {
	if (gateway !== 'quota') return undefined;
	const why = quotaUsedUp(retryAfter);
	if (retryAfter === undefined) return notSent('quotaUsedUp', why);
	return retryAfter > maxWait ? waitTooLong('quotaUsedUp', why) : undefined;
}

function answerOrThrow(method: Method, result: TryResult, tries: number): Answer {
	const { evidence, delay } = result;
	if ('answer' in result) return { ...result.answer, evidence, delay, tries };
	const { message, details } = result.failure;
	const outcome = outcomeOf(method, evidence);
	const advice = outcome === 'unknown' ? adviceLookUp : details.advice;
	throw new Failure(message, outcome, { ...details, advice, tries });
}

const isBrokenOff = (result: TryResult): boolean =>
	'answer' in result && result.answer.cut === 'brokenOff';

const isSuccess = (result: TryResult): boolean =>
	'answer' in result && result.answer.status < 300 && !isBrokenOff(result);

/** Whether the service itself says that there is no such record: what stands before it knows nothing of records. */
const isNotFoundByService = (result: TryResult): boolean =>
	'answer' in result && result.answer.status === 404 && isServiceError(result.answer.text);

/** Whether the result shows neither that the service works nor that it refuses the request. */
const isOverloadOrBroken = (result: TryResult): boolean =>
	isOverload(result.evidence) || isBrokenOff(result);

/**
 * @param runQueue where the run's requests wait for a slot
 * @param runStop ends all waiting; no request is sent after it
 * @param statistics of the run, in which pauses are counted
 */
export function sendWithRetries(
	sendTry: SendTry,
	accountQueue: AccountQueue,
	runQueue: RunQueue,
	runStop: AbortSignal,
	statistics: RunStatistics,
): Send {
	/** Set when no later request of this run can succeed. */
	let obstacle: Failure | undefined;
	let failedInRow = 0;
	let signInsFailed = 0;
	/** Requests that waited for the same sign-in have the same error object, which counts once. */
	let lastSignInError: SignInError | undefined;

	const isPaused = (): boolean => accountQueue.pauseLeft(runQueue.route).milliseconds > 0;

	/** Waits out the pause that the service asks for; gives a failure when the request may not be sent. */
	const waitUntilAllowed = async (
		maxWait: number,
		stop: AbortSignal,
	): Promise<Failure | undefined> => {
		for (;;) {
			if (obstacle || stop.aborted) return obstacle ?? runEndedBefore();
			const { milliseconds, askedOf, quotaLeft } = accountQueue.pauseLeft(runQueue.route);
			if (milliseconds <= 0) return undefined;
			if (milliseconds > maxWait) {
				if (quotaLeft !== undefined) return waitTooLong('quotaUsedUp', quotaUsedUp(quotaLeft));
				const seconds = Math.ceil(milliseconds / 1000);
				const answer = askedOf === undefined ? '' : ` (its answer to ${askedOf})`;
				return waitTooLong(
					'waitTooLong',
					`the service asks to wait ${seconds} more seconds${answer}`,
				);
			}
			await statistics.wait(milliseconds, stop);
		}
	};

	const learnFrom = (result: TryResult, { maxTries, maxWait }: ServiceRequest['limits']): void => {
		const { evidence } = result;
		const { retryAfter, gateway } = evidence;
		const isSignIn = 'signInError' in result;
		const ofRoute = isSignIn ? undefined : runQueue.route;
		if (retryAfter !== undefined)
			accountQueue.pauseFor(retryAfter, { ofRoute, isQuotaUsedUp: gateway === 'quota' });
		if (!isOverloadOrBroken(result)) failedInRow = 0;
		obstacle ??= result.obstacle ?? quotaObstacle(evidence, maxWait);
		if (!isSignIn) signInsFailed = 0;
		else if (result.signInError !== lastSignInError) {
			lastSignInError = result.signInError;
			// All requests wait together, so that one of them signs in again for all.
			const pause = Math.min(maxWait, backoffDelay(++signInsFailed, Math.random()));
			if (signInsFailed < maxTries) accountQueue.pauseFor(pause);
			else obstacle ??= result.failure;
		}
	};

	/** Waits for a slot and makes one try in it; gives a failure when the request may not be sent. */
	const tryInSlot = async (
		request: ServiceRequest,
		stop: AbortSignal,
		requestStop: AbortSignal | undefined,
	): Promise<TryResult | Failure> => {
		for (;;) {
			const failure = await waitUntilAllowed(request.limits.maxWait, stop);
			if (failure) return failure;
			const { body } = request;
			const lastActivity = body instanceof Multipart ? () => body.lastReadAt : undefined;
			const releaseSlot = await runQueue.acquireSlot(lastActivity);
			if (!releaseSlot) continue;
			let observation: Observation = {};
			try {
				// While this request waited for its slot, the answer to another may have shown that it must not be sent,
				// or must wait.
				if (obstacle || stop.aborted || isPaused()) continue;
				// A request that is under way when the run ends is not aborted: its outcome would be in doubt.
				const result = await sendTry(request, requestStop);
				// A try that was stopped shows nothing of the service.
				if (!stop.aborted) {
					learnFrom(result, request.limits);
					// Where tokens end sooner than the requests that carry them, fewer of these have to be under way.
					const isOverloaded = isOverloadOrBroken(result) || result.hasTokenEndedAgain === true;
					observation = { isOverload: isOverloaded, delay: result.delay };
				}
				return result;
			} finally {
				releaseSlot(observation);
			}
		}
	};

	return async (request, requestStop) => {
		const { method, limits } = request;
		const stop = requestStop ? AbortSignal.any([runStop, requestStop]) : runStop;
		let lastResult: TryResult | undefined;
		let tries = 0;
		let waited = 0;
		let inDoubt = false;
		let refusedTokens = 0;
		for (;;) {
			const result = await tryInSlot(request, stop, requestStop);
			if (result instanceof Failure) {
				if (!lastResult) throw result;
				// The user learns more from why there is no new token than from the refusal of the old one.
				if (obstacle && lastResult.evidence.status === 401) {
					lastResult = { evidence: lastResult.evidence, failure: obstacle };
				}
				break;
			}
			const evidence: TryEvidence = { ...result.evidence, inDoubt };
			lastResult = { ...result, evidence };
			if (evidence.status === 401) refusedTokens++;
			else tries++;
			if (isSuccess(lastResult)) break;
			// An earlier try has deleted the record, and only its answer was lost (RFC 9110 §9.2.2).
			if (method === 'DELETE' && inDoubt && isNotFoundByService(lastResult)) {
				return { method, status: 204, text: '', evidence, tries: tries + refusedTokens };
			}
			inDoubt ||= wasProcessed(evidence) === 'perhaps';
			const isLastTry =
				obstacle !== undefined || result.isFinal || refusedTokens > maxResendsAfter401;
			const pause = isLastTry
				? undefined
				: retryDelay(method, evidence, { tries, waited }, limits, Math.random());
			if (pause === undefined) break;
			waited += pause;
			await statistics.wait(pause, stop);
		}
		if (isOverloadOrBroken(lastResult) && !stop.aborted && ++failedInRow >= maxFailedInRow)
			obstacle ??= serviceUnavailable(lastResult.evidence);
		return answerOrThrow(method, lastResult, tries + refusedTokens);
	};
}
