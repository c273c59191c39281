// The types of sending, from the inside out: the answer to a request, the result of one try, the answer after all
// tries.
import type { SignInError } from '../auth/signInError';
import type { Method } from '../area';
import type { Failure } from '../failure';
import type { GatewayAnswer } from '../http/gatewayAnswer';
import type { BodyText } from '../http/bodyText';
import type { ServiceRequest } from '../request/request';
import type { TryEvidence } from './retryPolicy';

export interface Answer extends BodyText {
	method: Method;
	status: number;
	/** Names in small letters. */
	headers?: Readonly<Record<string, string | string[] | undefined>>;
	evidence: TryEvidence;
	/** How often the request was sent, or was tried to be sent; tries with a refused token are included. */
	tries?: number;
	/** Takes the credential's secrets out of a message of the service. Its data is passed on as it is. */
	redact?: (words: string) => string;
	/** Set when the gateway before the service answered in its place. */
	gateway?: GatewayAnswer;
	/** Whether a 401 is of this request alone, since the service accepts the same token for others. */
	isOfRequestAlone?: boolean;
	/** Why the token was refused, where that is known. */
	whyTokenEnded?: string;
}

/** Why a try got no answer: the words of a failure. What became of the item, the evidence says. */
export type NoAnswer = Pick<Failure, 'message' | 'details'>;

/** The result of one try. */
export type TryResult = {
	evidence: TryEvidence;
	/** Set when no later request of the run can succeed: the failure of all items that are not sent yet. */
	obstacle?: Failure;
	/** Whether one token after the other has ended, though each was just issued. */
	hasTokenEndedAgain?: boolean;
	/** Milliseconds that a success took, from when all of the request was handed over to be sent. */
	delay?: number;
	/** Why signing in failed, where that is why there is no answer. */
	signInError?: SignInError;
} & ({ answer: Answer } | { answer?: undefined; noAnswer: NoAnswer });

/** @param stop ends the try, as cancelling the execution does */
export type SendTry = (request: ServiceRequest, stop?: AbortSignal) => Promise<TryResult>;

/**
 * Sends one request, with as many tries as it may have. Throws Failure when no answer came.
 * @param stop ends the try that is under way, and no other one begins
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<Answer>;
