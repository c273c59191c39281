// Sends a request as often as the policy (policy.ts) allows, with what one run of a node has learned so far, and
// with what all runs know of the service's accountQueue.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import { runEndedBefore, Failure, adviceRunLater, adviceLookUp } from '../failure';
import { wait } from '../n8n';
import type { ServiceRequest } from '../request/request';
import type { Answer, TryResult, Send, SendTry } from './sendTypes';
import type { AccountQueue } from './accountQueue';
import type { RunQueue } from './runQueue';
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
 * Requests in a row that the service left unanswered, or was too busy for to the end of their tries, after
 * which a run sends no more: each might leave a record in doubt, and would cost as much time again.
 */
export const maxFailedInRow = 10;

/**
 * How often a request is sent again because its token was refused; it was not processed then, so that is no
 * try of its own. Where many sign in to one account, each may end the tokens of the others.
 */
export const maxTokenRenewals = 4;

const notSent = (why: string): Failure =>
	new Failure(`Not sent: ${why}`, 'notSent', { advice: adviceRunLater, retryable: true });

const serviceUnavailable = ({ status }: TryResult['evidence']): Failure =>
	notSent(
		status === undefined || status < 400
			? `the service did not answer the last ${maxFailedInRow} requests of this run`
			: `the service was too busy (status ${status}) for the last ${maxFailedInRow} requests of this run`,
	);

const waitTooLong = (milliseconds: number): Failure =>
	notSent(
		`the service asks to wait ${Math.ceil(milliseconds / 1000)} more seconds, which is longer than 'Max Wait (Seconds)' allows`,
	);

function answerOrThrow(method: Method, result: TryResult, tries: number): Answer {
	const { evidence } = result;
	if ('answer' in result) return { ...result.answer, evidence, tries };
	const { message, details } = result.failure;
	const outcome = outcomeOf(method, evidence);
	const advice = outcome === 'unknown' ? adviceLookUp : details.advice;
	throw new Failure(message, outcome, { ...details, advice, tries });
}

const isBrokenOff = (result: TryResult): boolean =>
	'answer' in result && result.answer.cut === 'brokenOff';

const isSuccess = (result: TryResult): boolean =>
	'answer' in result && result.answer.status < 300 && !isBrokenOff(result);

/** Whether it shows neither that the service works nor that it refuses. */
const isOverloadOrBroken = (result: TryResult): boolean =>
	isOverload(result.evidence) || isBrokenOff(result);

/**
 * @param runQueue, where the run's requests wait for their turn
 * @param stop ends all waiting; no request is sent after it
 */
export function sendWithRetries(
	sendTry: SendTry,
	accountQueue: AccountQueue,
	runQueue: RunQueue,
	stop: AbortSignal,
): Send {
	/** Why no request of this run can succeed any more. */
	let obstacle: Failure | undefined;
	let failedInRow = 0;
	let signInsFailed = 0;
	/** Requests that waited for the same sign-in have the same error. */
	let lastSignIn: SignInError | undefined;

	/** Waits until a request may be sent; a failure when it may not. */
	const clearance = async (maxWait: number, ends: AbortSignal): Promise<Failure | undefined> => {
		for (;;) {
			if (obstacle || ends.aborted) return obstacle ?? runEndedBefore();
			const { pauseLeft } = accountQueue;
			if (pauseLeft <= 0) return undefined;
			if (pauseLeft > maxWait) return waitTooLong(pauseLeft);
			await wait(pauseLeft, ends);
		}
	};

	const learn = (result: TryResult, { maxTries, maxWait }: ServiceRequest['limits']): void => {
		const { evidence } = result;
		if (evidence.retryAfter !== undefined) accountQueue.pauseFor(evidence.retryAfter);
		if (!isOverloadOrBroken(result)) failedInRow = 0;
		obstacle ??= result.obstacle;
		if (!('signIn' in result)) signInsFailed = 0;
		else if (result.signIn !== lastSignIn) {
			lastSignIn = result.signIn;
			// All wait together, so that one of them signs in again for all.
			const pause = Math.min(maxWait, backoffDelay(++signInsFailed, Math.random()));
			if (signInsFailed < maxTries) accountQueue.pauseFor(pause);
			else obstacle ??= result.failure;
		}
	};

	const tryInTurn = async (
		request: ServiceRequest,
		ends: AbortSignal,
		ownStop: AbortSignal | undefined,
	): Promise<TryResult | Failure> => {
		for (;;) {
			const obstructed = await clearance(request.limits.maxWait, ends);
			if (obstructed) return obstructed;
			const releaseSlot = await runQueue.acquireSlot();
			if (!releaseSlot) continue;
			let observation: Observation = {};
			try {
				// While it waited, others may have learned why it must not be sent, or not yet.
				if (obstacle || ends.aborted || accountQueue.pauseLeft > 0) continue;
				// The end of the run lets what is under way come to its end: its outcome would be in doubt.
				const result = await sendTry(request, ownStop);
				// A try that was ended shows nothing of the service.
				if (!ends.aborted) {
					learn(result, request.limits);
					observation = { isOverload: isOverloadOrBroken(result), delay: result.delay };
				}
				return result;
			} finally {
				releaseSlot(observation);
			}
		}
	};

	return async (request, ownStop) => {
		const { method, limits } = request;
		const ends = ownStop ? AbortSignal.any([stop, ownStop]) : stop;
		let last: TryResult | undefined;
		let tries = 0;
		let waited = 0;
		let inDoubt = false;
		let renewals = 0;
		for (;;) {
			const result = await tryInTurn(request, ends, ownStop);
			if (result instanceof Failure) {
				if (!last) throw result;
				// Why there is no new token says more than that the old one was refused.
				if (obstacle && last.evidence.status === 401) {
					last = { evidence: last.evidence, failure: obstacle };
				}
				break;
			}
			const evidence: TryEvidence = { ...result.evidence, inDoubt };
			last = { ...result, evidence };
			if (evidence.status === 401) renewals++;
			else tries++;
			if (isSuccess(last)) break;
			// An earlier try has removed it, only its answer was lost (RFC 9110 §9.2.2).
			if (method === 'DELETE' && inDoubt && evidence.status === 404) {
				return { method, status: 204, text: '', evidence, tries: tries + renewals };
			}
			inDoubt ||= wasProcessed(evidence) === 'perhaps';
			const isLast = obstacle !== undefined || renewals > maxTokenRenewals;
			const pause = isLast
				? undefined
				: retryDelay(method, evidence, { tries, waited }, limits, Math.random());
			if (pause === undefined) break;
			waited += pause;
			await wait(pause, ends);
		}
		if (isOverloadOrBroken(last) && !ends.aborted && ++failedInRow >= maxFailedInRow)
			obstacle ??= serviceUnavailable(last.evidence);
		return answerOrThrow(method, last, tries + renewals);
	};
}
