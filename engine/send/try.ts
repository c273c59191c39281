// What one try of a request gives.
import type { Answer, Evidence } from '../answer/evidence';
import type { SignInError } from '../auth/signInError';
import type { Token } from '../auth/token';
import type { FailureDetails } from '../failure';
import type { ServiceRequest } from '../request/request';
import type { ServiceState } from './retryPolicy';

/** A try: how far it got, what it has shown of the service, and what is concluded from that. */
export interface Try extends Evidence {
	/** By performance.now(). */
	readonly startedAt: number;
	/** How often the request was tried; tries with a refused token are included. */
	readonly tries: number;
	/** Milliseconds that a success took, from when all of the request was handed over to be sent. */
	readonly delay?: number;
	/** The token that a 401 refuses. */
	readonly refusedToken?: Token;
	/** Why no response came. */
	readonly noAnswer?: { message: string; details?: FailureDetails };
	/** Why signing in failed, where that is why no response came. */
	readonly signInError?: SignInError;
	/** Undefined where the try shows nothing of the service. */
	readonly serviceState?: ServiceState;
}

/**
 * Sends one request, with as many tries as it may have. Throws Failure when no response came.
 * @param stop ends the try that is in progress, and no other one begins
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<Answer>;
