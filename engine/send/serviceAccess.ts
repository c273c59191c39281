// Sends the requests of one run, each with the tries that retryPolicy.ts allows. It keeps what the run has learned from
// earlier requests; the account's limiter keeps what all runs of the process have learned.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Failure } from '../failure';
import { pageSizeOf } from '../form/pageSize';
import { wait, type NodeContext } from '../n8n';
import type { ServiceRequest } from '../request/request';
import { leavesInDoubt, type FinalResponse } from '../response/judge';
import { judgedTry } from '../response/responseData';
import { failureOf } from '../response/responseFailure';
import { limiterOf } from './limiter';
import { delayOfNextTry, serviceStateOf, type SeenTry, type Try } from './retryPolicy';
import { noResponseFailure, notSentEither } from './sendFailures';
import type { SendingRun } from './sendingRun';
import { ServiceTry } from './serviceTry';
import { Session } from './session';
import { readCredential } from './storedCredential';

/**
 * Consecutive refusals after which a run stops sending: two tokens end, and with the third, three requests are refused.
 */
const maxRefusalsOfRun = 5;

/**
 * Sends one request, with as many tries as are allowed. Throws Failure if no response came.
 * @param stop ends the try in progress and prevents the next one
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<FinalResponse>;

/** One run's access to the service. */
export class ServiceAccess {
	readonly session = new Session(this.ctx, this.credentials);

	/** Maximum rows that one list request may ask for. */
	readonly pageSize = pageSizeOf(this.credentials);

	private readonly limiter = limiterOf(this.session.account);

	constructor(
		private readonly ctx: NodeContext,
		readonly credentials: ICredentialDataDecryptedObject,
		private readonly run: SendingRun,
	) {}

	readonly send: Send = async (request, requestStop) => {
		const { limits } = request;
		const { run, limiter, session } = this;
		const stop = requestStop ? AbortSignal.any([run.stop, requestStop]) : run.stop;
		// Number of tries that count against 'Max Tries'.
		let counted = 0;
		for (let last: Try | undefined; ; ) {
			const entered = limiter.enter(run, limits, stop);
			const place = entered instanceof Promise ? await (run.entering = entered) : entered;
			if (place instanceof Failure) return this.responseOf(last, place);
			let tried: Try | undefined;
			try {
				// The run's end does not abort a request in progress, since its outcome would be in doubt.
				const toMake = new ServiceTry(session, request, last, requestStop);
				const seen = await toMake.make(place.quietAfter, () => limiter.markHanging(place));
				tried = await this.judged(seen, last, stop);
			} finally {
				limiter.leave(place, run, limits, tried);
			}
			// After the wait that the service asked for, it would accept the request unless another process comes first, so such
			// a try counts only against 'Max Wait'.
			if (!tried.meaningOf401 && !tried.retryAfter) counted++;
			const delay = delayOfNextTry(tried, counted, limits, Math.random());
			if (delay === undefined || run.blocker) return this.responseOf(tried);
			const heldUp = delay > 0 ? run.holdUp(performance.now() + delay) : 0;
			if (heldUp > limits.maxWait) return this.responseOf(tried);
			if (delay > 0) await wait(delay, stop);
			last = tried;
		}
	};

	/** @param stop ends the wait for what a 401 means */
	private async judged(seen: SeenTry, last: Try | undefined, stop: AbortSignal): Promise<Try> {
		const judged = judgedTry(seen);
		const { refusedToken } = judged;
		const { tokens } = this.session.account;
		const meaning = refusedToken && (await tokens.learnFrom401(refusedToken, this.session, stop));
		// A response that leaves the write in doubt is not a refusal of its token, even if the token has ended.
		const tried = { ...judged, meaningOf401: leavesInDoubt(judged) ? undefined : meaning };
		return stop.aborted ? tried : { ...tried, serviceState: this.learnFrom(tried, last) };
	}

	/** Draws the conclusions from a try for the run's later requests. @returns what it shows about the service */
	private learnFrom(tried: Try, last: Try | undefined): Try['serviceState'] {
		const { gateway, maybeSent, noResponse, meaningOf401 } = tried;
		const { session, run } = this;
		if (!maybeSent && noResponse?.details.retryable === false) {
			run.blocker ??= new Failure(noResponse.message, 'notSent', noResponse.details);
			// It shows nothing about the service, so later runs need not wait.
			return undefined;
		}
		const serviceState = serviceStateOf(tried, last?.meaningOf401 !== undefined);
		if (serviceState === 'works') session.refusedInRow = 0;
		const refusesAll = meaningOf401 === 'stopRenewing' && session.refusedInRow >= maxRefusalsOfRun;
		if (refusesAll || gateway?.reason === 'key')
			run.blocker ??= notSentEither(failureOf(this.responseOf(tried)));
		return serviceState;
	}

	/**
	 * @param blocker why there is no other try, if the limits allow one
	 * @throws Failure if no response came, or only a refused token, and there is no other token to send
	 */
	private responseOf(last: Try | undefined, blocker?: Failure): FinalResponse {
		if (!last) throw blocker!;
		if (last.status === undefined) throw noResponseFailure(last);
		// The reason why there is no new token tells the user more than the refusal of the old one.
		if (last.status === 401 && blocker) throw noResponseFailure({ ...last, noResponse: blocker });
		return { ...last, quote: this.session.quote };
	}
}

/**
 * Opens the service for one run or poll of a node. The credential is read once; a renewed token serves all later
 * requests of the run.
 * @throws Failure if the credential cannot be read or used, or a setting has a value that the form does not offer
 */
export async function openServiceAccess(ctx: NodeContext, run: SendingRun): Promise<ServiceAccess> {
	return new ServiceAccess(ctx, await readCredential(ctx, run.stop), run);
}
