// What sending gives, in three steps: the answer of one try, what came of the try, the answer after all tries.
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
	/** How often the request was sent, or tried to be. */
	tries?: number;
	/** Takes the credential's secrets out of words of the service; its data passes as it is. */
	redact?: (words: string) => string;
	/** Why a refused token did not do, where that is known. */
	whyTokenEnded?: string;
}

/** What came of one try: an answer, or why there is none. */
export type TryResult = {
	evidence: TryEvidence;
	/** Why no later request of the run can fare better. */
	obstacle?: Failure;
	/** How long its success was waited for, from when all of it was handed over to be sent. */
	delay?: ClockReading;
} & ({ answer: Answer } | { failure: Failure; signIn?: SignInError });

/** @param stop ends the try, as cancelling the execution does */
export type SendTry = (request: ServiceRequest, stop?: AbortSignal) => Promise<TryResult>;

/**
 * Sends one request; throws Failure when no answer came.
 * @param stop no try of this request starts after it, and one under way is ended
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<Answer>;
