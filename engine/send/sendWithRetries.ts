// Sends the requests of one run, each as often as the retry policy (retryPolicy.ts) allows. What the run has learned
// from earlier requests is kept here; what all runs of the process have learned is kept in the account's queue.
import { runEndedBefore, Failure } from '../failure';
import { isServiceError } from '../http/gatewayAnswer';
import { Multipart } from '../request/multipart';
import type { RetryLimits, ServiceRequest } from '../request/request';
import type { RunQueue } from './accountQueue';
import type { Observation } from './congestionWindow';
import {
	backoffDelay,
	isOverload,
	isPostponed,
	isSentAgain,
	outcomeOf,
	type TryEvidence,
} from './retryPolicy';
import type { RunStatistics } from './runStatistics';
import { heldUpTooLong, noAnswerFailure, serviceUnavailable, signInFailure } from './sendFailures';
import type { TryResult, Send, SendTry } from './sendTypes';

/**
 * After this many requests in a row that failed in all their tries, because the service did not answer or was too
 * busy, a run sends no more: each further one might leave a record in doubt, and would take as long again.
 */
export const maxFailedInRow = 10;

/** Whether the result shows neither that the service works nor that it refuses the request. */
const isOverloadOrBroken = ({ evidence, answer }: TryResult): boolean =>
	isOverload(evidence) || answer?.cut === 'brokenOff';

/**
 * @param runQueue where the run's requests wait for a slot; after it has stopped, no request is sent
 * @param statistics of the run, in which tries and pauses are counted
 */
export function sendWithRetries(
	sendTry: SendTry,
	runQueue: RunQueue,
	statistics: RunStatistics,
): Send {
	const { route, stop: runStop } = runQueue;
	const { pauses } = runQueue.accountQueue;
	/** Set when no later request of this run can succeed. */
	let obstacle: Failure | undefined;
	let failedInRow = 0;
	/** By performance.now(): since when the run waits, again and again perhaps, without a success between. */
	let heldUpSince: number | undefined;

	const learnFrom = (
		result: TryResult,
		sentAt: number,
		{ maxTries, maxWait }: RetryLimits,
	): void => {
		const { evidence, signInError } = result;
		obstacle ??= result.obstacle;
		if (result.obstacle) return;
		if (isOverloadOrBroken(result)) {
			const failedTry = { route, sentAt, evidence, signInError };
			const { failures } = pauses.begin(performance.now(), failedTry, maxWait, Math.random());
			// A sign-in is tried for all requests together.
			if (signInError && failures >= maxTries) obstacle ??= signInFailure(signInError);
			return;
		}
		failedInRow = 0;
		heldUpSince = undefined;
		pauses.end(route, sentAt);
	};

	/** Milliseconds for which no request of the run may be sent; Failure when that is longer than the run may wait. */
	const pauseLeft = (maxWait: number): number | Failure => {
		const now = performance.now();
		const pause = pauses.of(route, now);
		if (!pause) return 0;
		heldUpSince ??= now;
		const isTooLong = pause.until - heldUpSince > maxWait;
		return isTooLong ? heldUpTooLong(pause, now, maxWait) : pause.until - now;
	};

	/**
	 * Waits out the pause that the service asks for, waits for a slot, and makes one try in it; gives a failure when the
	 * request may not be sent.
	 */
	const tryInSlot = async (
		request: ServiceRequest,
		stop: AbortSignal,
		requestStop: AbortSignal | undefined,
	): Promise<TryResult | Failure> => {
		const { body, limits } = request;
		for (;;) {
			if (obstacle || stop.aborted) return obstacle ?? runEndedBefore();
			const pause = pauseLeft(limits.maxWait);
			if (pause instanceof Failure) return (obstacle = pause);
			if (pause > 0) {
				await statistics.wait(pause, stop);
				continue;
			}
			const releaseSlot = await runQueue.acquireSlot(body instanceof Multipart ? body : undefined);
			if (!releaseSlot) continue;
			let observation: Observation = {};
			try {
				// While this request waited for its slot, the answer to another may have shown that it must not be sent,
				// or must wait.
				if (obstacle || stop.aborted || pauseLeft(limits.maxWait) !== 0) continue;
				const sentAt = performance.now();
				// A request that is under way when the run ends is not aborted: its outcome would be in doubt.
				const result = await statistics.count(sendTry(request, requestStop));
				// A try that was stopped here shows nothing of the service.
				if (!stop.aborted && !result.evidence.endedHere) {
					learnFrom(result, sentAt, limits);
					const { delay, hasTokenEndedAgain = false } = result;
					// Where tokens end sooner than the requests that carry them, fewer of these have to be under way.
					observation = { isOverload: isOverloadOrBroken(result) || hasTokenEndedAgain, delay };
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
		const soFar = { tries: 0, refusedTokens: 0 };
		let allTries = 0;
		let inDoubt = false;
		let last: TryResult | undefined;
		for (;;) {
			const result = await tryInSlot(request, stop, requestStop);
			if (result instanceof Failure) {
				if (!last) throw result;
				// The user learns more from why there is no new token than from the refusal of the old one.
				if (obstacle && last.evidence.status === 401)
					last = { evidence: last.evidence, noAnswer: obstacle };
				break;
			}
			const evidence: TryEvidence = { ...result.evidence, inDoubt };
			last = { ...result, evidence };
			allTries++;
			if (evidence.status === 401) soFar.refusedTokens++;
			else if (!isPostponed(evidence)) soFar.tries++;
			const { answer } = last;
			if (answer && answer.status < 300 && answer.cut !== 'brokenOff') break;
			// An earlier try has deleted the record, and only its answer was lost (RFC 9110 §9.2.2). What stands before the
			// service knows nothing of records, so it counts only where the service itself says so.
			const isGone = answer?.status === 404 && isServiceError(answer.text);
			if (method === 'DELETE' && inDoubt && isGone)
				return { method, status: 204, text: '', evidence, tries: allTries };
			inDoubt ||= outcomeOf(method, evidence) === 'unknown';
			if (obstacle || !isSentAgain(method, evidence, soFar, limits)) break;
			// What is wrong with the service holds all requests; what may be wrong with this one holds it alone.
			if (evidence.status !== 401 && !isOverloadOrBroken(result))
				await statistics.wait(backoffDelay(soFar.tries, Math.random()), stop);
		}
		const { evidence, signInError } = last;
		if (isOverloadOrBroken(last) && !stop.aborted && ++failedInRow >= maxFailedInRow) {
			const since = `during the last ${maxFailedInRow} requests of this run`;
			obstacle ??= signInError ? signInFailure(signInError) : serviceUnavailable(since, evidence);
		}
		if (!last.answer) throw noAnswerFailure(method, evidence, last.noAnswer, allTries);
		return { ...last.answer, evidence, tries: allTries };
	};
}
