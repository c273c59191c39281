// What one try of a request gives.
import type { Operation } from '../area';
import type { Refusal } from '../auth/knownTokens';
import type { SignInError } from '../auth/signInError';
import type { Token } from '../auth/token';
import type { FailureDetails } from '../failure';
import type { BodyText } from '../http/bodyText';
import type { ServiceRequest } from '../request/request';
import type { TryEvidence } from './retryPolicy';

/** One try: the request, the response or why there is none, and what that proves. */
export interface Exchange extends TryEvidence, Partial<BodyText> {
	/** Exchanges are compared within their operation. */
	operation: Operation;
	/** By performance.now(). */
	startedAt: number;
	/** How often the request was tried; tries with a refused token are included. */
	tries: number;
	/** How many tries count against 'Max Tries', this one perhaps not included. */
	triesThatCount: number;
	/** Of tokens, by this try and the earlier ones of the request. */
	refusals: Refusal[];
	/** Takes the credential's secrets out of a message of the service. Its data is passed on as it is. */
	redact: (words: string) => string;
	/** Names in lower case. */
	headers?: Readonly<Record<string, string | string[] | undefined>>;
	/** Milliseconds that a success took, from when all of the request was handed over to be sent. */
	delay?: number;
	/** The token that a 401 refuses. */
	refusedToken?: Token;
	/** Whether a 401 concerns this request alone, since the service accepts the same token for others. */
	concernsOnlyThisRequest?: boolean;
	/** Why the token was refused, where that is known. */
	whyTokenEnded?: string;
	/** Why no response came. */
	noAnswer?: { message: string; details?: FailureDetails };
	/** Why signing in failed, where that is why no response came. */
	signInError?: SignInError;
	/** Whether fewer requests should be in progress: false where the service works, undefined where that is not shown. */
	isOverload?: boolean;
}

/** An exchange with a response, as modules above read it. */
export type Answer = Omit<Exchange, 'startedAt' | 'triesThatCount' | 'refusals'> & {
	status: number;
	text: string;
};

/**
 * Sends one request, with as many tries as it may have. Throws Failure when no response came.
 * @param stop ends the try that is in progress, and no other one begins
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<Answer>;
