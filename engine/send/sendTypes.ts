// The types of sending, from the inside out: the answer to a request, the result of one try, the answer after all
// tries.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import type { Failure } from '../failure';
import type { ClockReading } from '../http/clock';
import type { BodyText } from '../http/bodyText';
import type { ServiceRequest } from '../request/request';
import type { TryEvidence } from './retryPolicy';

export interface Answer extends BodyText {
	method: Method;
	status: number;
	evidence: TryEvidence;
	/** How often the request was sent, or was tried to be sent; tries with a refused token are included. */
	tries?: number;
	/** Takes the credential's secrets out of a message of the service. Its data is passed on as it is. */
	redact?: (words: string) => string;
	/** Why the token was refused, where that is known. */
	whyTokenEnded?: string;
}

/** The result of one try: an answer, or the failure that says why there is none. */
export type TryResult = {
	evidence: TryEvidence;
	/** Set when no later request of the run can succeed: the failure of all items that are not sent yet. */
	obstacle?: Failure;
	/** How long a success took, from when all of the request was handed over to be sent. */
	delay?: ClockReading;
} & ({ answer: Answer } | { failure: Failure; signInError?: SignInError });

/** @param stop ends the try, as cancelling the execution does */
export type SendTry = (request: ServiceRequest, stop?: AbortSignal) => Promise<TryResult>;

/**
 * Sends one request, with as many tries as it may have. Throws Failure when no answer came.
 * @param stop ends the try that is under way, and no other one begins
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<Answer>;
