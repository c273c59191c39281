// Sends a request as often as the policy (policy.ts) allows, with what one run of a node has learned so far, and
// with what all runs know of the service's line.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import { ended, Failure, laterAgain, mayExist } from '../failure';
import { wait } from '../n8n';
import type { ServiceRequest } from '../request/request';
import type { Answer, Attempt, Send, SendOnce } from './attempt';
import type { Line } from './line';
import type { Place } from './place';
import { backOff, isSetback, nextTry, outcomeOf, processingOf, type Reached } from './policy';
import type { Seen } from './window';

/**
 * Requests in a row that the service left unanswered, or was too busy for to the end of their tries, after
 * which a run sends no more: each might leave a record in doubt, and would cost as much time again.
 */
export const mostInVain = 10;

/**
 * How often a request is sent again because its token was refused; it was not processed then, so that is no
 * try of its own. Where many sign in to one account, each may end the tokens of the others.
 */
export const mostRenewals = 4;

const notSent = (why: string): Failure =>
	new Failure(`Not sent: ${why}`, 'notSent', { advice: laterAgain, retryable: true });

const inVainFor = ({ status }: Attempt['reached']): Failure =>
	notSent(
		status === undefined || status < 400
			? `the service did not answer the last ${mostInVain} requests of this run`
			: `the service was too busy (status ${status}) for the last ${mostInVain} requests of this run`,
	);

const askedToWait = (milliseconds: number): Failure =>
	notSent(
		`the service asks to wait another ${Math.ceil(milliseconds / 1000)} seconds, longer than 'Max Wait' allows`,
	);

function finish(method: Method, attempt: Attempt, tries: number): Answer {
	const { reached } = attempt;
	if ('answer' in attempt) return { ...attempt.answer, reached, tries };
	const { message, more } = attempt.failure;
	const outcome = outcomeOf(method, reached);
	const advice = outcome === 'unknown' ? mayExist : more.advice;
	throw new Failure(message, outcome, { ...more, advice, tries });
}

const isBrokenOff = (attempt: Attempt): boolean =>
	'answer' in attempt && attempt.answer.cut === 'brokenOff';

const isWell = (attempt: Attempt): boolean =>
	'answer' in attempt && attempt.answer.status < 300 && !isBrokenOff(attempt);

/** Whether it shows neither that the service works nor that it refuses. */
const isInVain = (attempt: Attempt): boolean => isSetback(attempt.reached) || isBrokenOff(attempt);

/**
 * @param place in the line, where the run's requests wait for their turn
 * @param stop ends all waiting; no request is sent after it
 */
export function withTries(sendOnce: SendOnce, line: Line, place: Place, stop: AbortSignal): Send {
	/** Why no request of this run can succeed any more. */
	let obstacle: Failure | undefined;
	let inVain = 0;
	let signInsInVain = 0;
	/** Requests that waited for the same sign-in have the same error. */
	let lastSignIn: SignInError | undefined;

	/** Waits until a request may be sent; a failure when it may not. */
	const clearance = async (maxWait: number, ends: AbortSignal): Promise<Failure | undefined> => {
		for (;;) {
			if (obstacle || ends.aborted) return obstacle ?? ended();
			const { hold } = line;
			if (hold <= 0) return undefined;
			if (hold > maxWait) return askedToWait(hold);
			await wait(hold, ends);
		}
	};

	const learn = (attempt: Attempt, { maxTries, maxWait }: ServiceRequest['limits']): void => {
		const { reached } = attempt;
		if (reached.retryAfter !== undefined) line.holdBack(reached.retryAfter);
		if (!isInVain(attempt)) inVain = 0;
		obstacle ??= attempt.obstacle;
		if (!('signIn' in attempt)) signInsInVain = 0;
		else if (attempt.signIn !== lastSignIn) {
			lastSignIn = attempt.signIn;
			// All wait together, so that one of them signs in again for all.
			const pause = Math.min(maxWait, backOff(++signInsInVain, Math.random()));
			if (signInsInVain < maxTries) line.holdBack(pause);
			else obstacle ??= attempt.failure;
		}
	};

	const inTurn = async (
		request: ServiceRequest,
		ends: AbortSignal,
		ownStop: AbortSignal | undefined,
	): Promise<Attempt | Failure> => {
		for (;;) {
			const obstructed = await clearance(request.limits.maxWait, ends);
			if (obstructed) return obstructed;
			const endTurn = await place.turn();
			if (!endTurn) continue;
			let seen: Seen = {};
			try {
				// While it waited, others may have learned why it must not be sent, or not yet.
				if (obstacle || ends.aborted || line.hold > 0) continue;
				// The end of the run lets what is under way come to its end: its outcome would be in doubt.
				const attempt = await sendOnce(request, ownStop);
				// A try that was ended shows nothing of the service.
				if (!ends.aborted) {
					learn(attempt, request.limits);
					seen = { isSetback: isInVain(attempt), delay: attempt.delay };
				}
				return attempt;
			} finally {
				endTurn(seen);
			}
		}
	};

	return async (request, ownStop) => {
		const { method, limits } = request;
		const ends = ownStop ? AbortSignal.any([stop, ownStop]) : stop;
		let attempt: Attempt | undefined;
		let tries = 0;
		let waited = 0;
		let inDoubt = false;
		let renewals = 0;
		for (;;) {
			const result = await inTurn(request, ends, ownStop);
			if (result instanceof Failure) {
				if (!attempt) throw result;
				// Why there is no new token says more than that the old one was refused.
				if (obstacle && attempt.reached.status === 401) {
					attempt = { reached: attempt.reached, failure: obstacle };
				}
				break;
			}
			const reached: Reached = { ...result.reached, inDoubt };
			attempt = { ...result, reached };
			if (reached.status === 401) renewals++;
			else tries++;
			if (isWell(attempt)) break;
			// An earlier try has removed it, only its answer was lost (RFC 9110 §9.2.2).
			if (method === 'DELETE' && inDoubt && reached.status === 404) {
				return { method, status: 204, text: '', reached, tries: tries + renewals };
			}
			inDoubt ||= processingOf(reached) === 'perhaps';
			const isLast = obstacle !== undefined || renewals > mostRenewals;
			const pause = isLast
				? undefined
				: nextTry(method, reached, { tries, waited }, limits, Math.random());
			if (pause === undefined) break;
			waited += pause;
			await wait(pause, ends);
		}
		if (isInVain(attempt) && !ends.aborted && ++inVain >= mostInVain)
			obstacle ??= inVainFor(attempt.reached);
		return finish(method, attempt, tries + renewals);
	};
}
