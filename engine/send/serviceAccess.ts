// What one run of a node sends its requests through: each as often as the retry policy (retryPolicy.ts) allows. What
// the run has learned from earlier requests is kept here; what all runs of the process have learned, in the account's
// limiter.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { leavesInDoubt, withParsedBody } from '../response/responseData';
import type { FinalResponse } from '../response/evidence';
import { judge } from '../response/judge';
import { failureOf } from '../response/words';
import { Failure } from '../failure';
import { pageSizeOf } from '../form/pageSize';
import { wait, type NodeContext } from '../n8n';
import type { ServiceRequest } from '../request/request';
import { limiterOf } from './limiter';
import { delayOfNextTry, serviceStateOf, type Try } from './retryPolicy';
import { noResponseFailure, notSentEither } from './sendFailures';
import type { SendingRun } from './sendingRun';
import { ServiceTry } from './serviceTry';
import { Session } from './session';
import { readCredential } from './storedCredential';

/**
 * Refusals in a row after which a run sends no more: two tokens end, and with the third, three requests are refused.
 */
const maxRefusalsOfRun = 5;

/**
 * Sends one request, with as many tries as it may have. Throws Failure when no response came.
 * @param stop ends the try that is in progress, and no other one begins
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<FinalResponse>;

/** The service, as one run has access to it. */
export class ServiceAccess {
	readonly session = new Session(this.ctx, this.credentials);

	/** The most rows that one request of a list may ask for. */
	readonly pageSize = pageSizeOf(this.credentials);

	private readonly limiter = limiterOf(this.session.account);

	constructor(
		private readonly ctx: NodeContext,
		readonly credentials: ICredentialDataDecryptedObject,
		private readonly run: SendingRun,
	) {}

	readonly send: Send = async (request, requestStop) => {
		const { limits } = request;
		const { run, limiter } = this;
		const stop = requestStop ? AbortSignal.any([run.stop, requestStop]) : run.stop;
		// How many tries count against 'Max Tries'.
		let counted = 0;
		for (let last: Try | undefined; ; ) {
			const entered = limiter.enter(run, limits, stop);
			const place = entered instanceof Promise ? await (run.entering = entered) : entered;
			if (place instanceof Failure) return this.responseOf(last, place);
			let tried: Try | undefined;
			try {
				// A request that is in progress when the run ends is not aborted: its outcome would be in doubt.
				const started = this.startAfter(last, request);
				const toMake = new ServiceTry(this.session, request, started, requestStop);
				tried = await toMake.make(place.quietAfter, () => limiter.markHanging(place));
				const { refusedToken } = tried;
				const { tokens } = this.session.account;
				const verdict = refusedToken && (await tokens.verdictOn(refusedToken, this.session, stop));
				tried = this.interpret({ ...tried, verdict }, last, stop);
			} finally {
				limiter.leave(place, run, limits, tried);
			}
			// When the time is over that the service asks to wait, it would take the request, unless another process comes
			// first: such a try counts against 'Max Wait' alone.
			if (!tried.verdict && !tried.retryAfter) counted++;
			const delay = delayOfNextTry(tried, counted, limits, Math.random());
			const isHeldUp = (milliseconds: number) =>
				run.holdUp(performance.now() + milliseconds) > limits.maxWait;
			if (delay === undefined || run.blocker || (delay > 0 && isHeldUp(delay)))
				return this.responseOf(tried);
			if (delay > 0) await wait(delay, stop);
			last = tried;
		}
	};

	/** What is known of a try before it is made. */
	private startAfter(last: Try | undefined, request: ServiceRequest): Try {
		const { method, headers, operation, content } = request;
		return {
			method,
			operation,
			content,
			etag: headers.ETag,
			startedAt: performance.now(),
			tries: (last?.tries ?? 0) + 1,
			maybeSent: false,
			inDoubt: last && judge(last).outcome === 'inDoubt',
		};
	}

	/** Concludes what a try means for its request, for the later ones of the run, and of the service. */
	private interpret(made: Try, last: Try | undefined, stop: AbortSignal): Try {
		// A read leaves nothing open. Pages that wait for their turn wait as text, which takes less memory.
		const shown = made.method === 'GET' ? made : withParsedBody(made);
		const { gateway, maybeSent, noResponse } = shown;
		const { session, run } = this;
		// What is in doubt refuses no token, though the token may have ended.
		const verdict = shown.verdict && leavesInDoubt(shown) ? undefined : shown.verdict;
		const tried = { ...shown, verdict };
		if (stop.aborted) return tried;
		// It shows nothing of the service. Later runs wait for nothing either.
		if (!maybeSent && noResponse?.details.retryable === false) {
			run.blocker ??= new Failure(noResponse.message, 'notSent', noResponse.details);
			return tried;
		}
		const serviceState = serviceStateOf(tried, last?.verdict !== undefined);
		if (serviceState === 'works') session.refusedInRow = 0;
		const refusesAll = verdict === 'stopRenewing' && session.refusedInRow >= maxRefusalsOfRun;
		if (refusesAll || gateway?.reason === 'key')
			run.blocker ??= notSentEither(failureOf(this.responseOf(tried)));
		return { ...tried, serviceState };
	}

	/**
	 * @param obstacle why there is no other try, where the limits allow one
	 * @throws Failure when no response came, or only the refusal of a token, and there is no other to send
	 */
	private responseOf(last: Try | undefined, obstacle?: Failure): FinalResponse {
		if (!last) throw obstacle!;
		if (last.status === undefined) throw noResponseFailure(last);
		// The user learns more from why there is no new token than from the refusal of the old one.
		if (last.status === 401 && obstacle) throw noResponseFailure({ ...last, noResponse: obstacle });
		return { ...last, quote: this.session.quote };
	}
}

/**
 * Opens the service for one run or poll of a node. The credential is read once, and a renewed token is used by all
 * later requests of the run.
 * @throws Failure when the credential cannot be read or used, or one of its settings has a value that the form does not offer
 */
export async function openServiceAccess(ctx: NodeContext, run: SendingRun): Promise<ServiceAccess> {
	return new ServiceAccess(ctx, await readCredential(ctx, run.stop), run);
}
