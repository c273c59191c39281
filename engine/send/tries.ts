// Sends a request as often as the policy (policy.ts) allows, with what one run of a node has learned so far.
import { sleep } from 'n8n-workflow';

import { ended, Failure, laterAgain } from '../failure';
import type { ServiceRequest } from '../request/request';
import type { Answer, Attempt, Send, SendOnce } from './attempt';
import { isSetback, nextTry, processingOf } from './policy';
import type { CongestionWindow } from './window';

/** Requests in a row without an answer after which a run sends no more: each might leave a record in doubt. */
const mostUnanswered = 10;

const silent = (): Failure =>
	new Failure(
		`Not sent: the service did not answer the last ${mostUnanswered} requests of this run`,
		'notSent',
		{ advice: laterAgain, retryable: true },
	);

const askedToWait = (milliseconds: number): Failure =>
	new Failure(
		`Not sent: the service asks to wait another ${Math.ceil(milliseconds / 1000)} seconds, longer than 'Max Wait' allows`,
		'notSent',
		{ advice: laterAgain, retryable: true },
	);

function finish(attempt: Attempt, tries: number): Answer {
	if ('answer' in attempt) return { ...attempt.answer, tries };
	const { message, outcome, more } = attempt.failure;
	throw new Failure(message, outcome, { ...more, tries });
}

const isWell = (attempt: Attempt): boolean =>
	'answer' in attempt && attempt.answer.status < 300 && attempt.answer.cut !== 'brokenOff';

/**
 * @param window how many requests may be under way at once
 * @param stop ends all waiting; no request is sent after it
 */
export function withTries(sendOnce: SendOnce, window: CongestionWindow, stop: AbortSignal): Send {
	/** Why no request of this run can succeed any more. */
	let obstacle: Failure | undefined;
	/** By performance.now(): what the service asked one request to wait for, all wait for. */
	let notBefore = -Infinity;
	let unanswered = 0;

	/** Waits until a request may be sent; a failure when it may not. */
	const clearance = async (maxWait: number): Promise<Failure | undefined> => {
		for (;;) {
			if (obstacle || stop.aborted) return obstacle ?? ended();
			const hold = notBefore - performance.now();
			if (hold <= 0) return undefined;
			if (hold > maxWait) return askedToWait(hold);
			await sleep(hold, stop).catch(() => {});
		}
	};

	const learn = ({ reached, ...attempt }: Attempt): void => {
		if (reached.retryAfter !== undefined) {
			notBefore = Math.max(notBefore, performance.now() + reached.retryAfter);
		}
		if (reached.status !== undefined) unanswered = 0;
		if ('isFinal' in attempt && attempt.isFinal) obstacle = attempt.failure;
	};

	const inTurn = (request: ServiceRequest): Promise<Attempt | Failure> =>
		window.pass(
			async () => {
				const obstructed = await clearance(request.limits.maxWait);
				if (obstructed) return obstructed;
				const attempt = await sendOnce(request);
				learn(attempt);
				return attempt;
			},
			(attempt) => (attempt instanceof Failure ? undefined : isSetback(attempt.reached)),
		);

	return async (request) => {
		const { method, limits } = request;
		let attempt: Attempt | undefined;
		let tries = 0;
		let waited = 0;
		let mayHaveBeenDone = false;
		for (;;) {
			const result = await inTurn(request);
			if (result instanceof Failure) {
				if (attempt) break;
				throw result;
			}
			attempt = result;
			tries++;
			const { reached } = attempt;
			if (isWell(attempt)) break;
			// An earlier try has removed it, only its answer was lost (RFC 9110 §9.2.2).
			if (method === 'DELETE' && mayHaveBeenDone && reached.status === 404) {
				return { method, status: 204, text: '', reached, tries };
			}
			mayHaveBeenDone ||= processingOf(reached) === 'perhaps';
			const wait = obstacle
				? undefined
				: nextTry(method, reached, { tries, waited }, limits, Math.random());
			if (wait === undefined) break;
			waited += wait;
			await sleep(wait, stop).catch(() => {});
		}
		if (attempt.reached.status === undefined && ++unanswered >= mostUnanswered)
			obstacle ??= silent();
		return finish(attempt, tries);
	};
}
