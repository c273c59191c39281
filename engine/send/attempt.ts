// What sending gives, in three steps: the answer of one try, what came of the try, the answer after all tries.
import type { Method } from '../area';
import type { Failure } from '../failure';
import type { BodyText } from '../http/text';
import type { ServiceRequest } from '../request/request';
import type { Reached } from './policy';

export interface Answer extends BodyText {
	method: Method;
	status: number;
	reached: Reached;
	/** How often the request was sent, or tried to be. */
	tries?: number;
}

/** What came of one try: an answer, or why there is none. */
export type Attempt =
	| { reached: Reached; answer: Answer }
	| {
			reached: Reached;
			failure: Failure;
			/** No later request of the run can fare better. */
			isFinal?: boolean;
	  };

export type SendOnce = (request: ServiceRequest) => Promise<Attempt>;

/**
 * Sends one request; throws Failure when no answer came.
 * @param stop no try of this request starts after it, and one under way is aborted
 */
export type Send = (request: ServiceRequest, stop?: AbortSignal) => Promise<Answer>;
