// Why an item did not give its result, in the user's words, and what became of its record.

/**
 * - `notSent`: nothing reached the service
 * - `refused`: the service said no, or gave nothing to a read; nothing was changed
 * - `unknown`: it may or may not have been processed
 * - `done`: the service accepted it, but its answer could not be read
 */
export type Outcome = 'notSent' | 'refused' | 'unknown' | 'done';

/** What to do about an unknown outcome. */
export const adviceLookUp =
	'It may or may not have been processed: look it up in the service before sending it again.';

/** What to do when the service could not serve, and nothing was changed. */
export const adviceRunLater = 'Nothing was changed: run this item again later.';

export interface FailureDetails {
	/** What to do, in a sentence or two. */
	advice?: string;
	/** HTTP status of the answer, if there was one. */
	status?: number;
	/** The service's own words, a line for each thing it said. */
	serviceWords?: string[];
	/** Whether the same item may be sent again as it is, without harm and with a chance. */
	retryable?: boolean;
	/** Of an item with several paths, the one it is about. */
	path?: string;
	/** Whether no request of this run can fare better, nor of a later try of it: signing in was refused. */
	endsRun?: boolean;
	/** How often the request was sent, or tried to be. */
	tries?: number;
}

export class Failure extends Error {
	constructor(
		message: string,
		readonly outcome: Outcome,
		readonly details: FailureDetails = {},
	) {
		super(message);
	}
}

/** A failure with its words changed, such as by taking secrets out. */
export function withWordsChanged(
	{ message, outcome, details }: Failure,
	change: (words: string) => string,
): Failure {
	const { serviceWords } = details;
	return new Failure(change(message), outcome, {
		...details,
		...(serviceWords && { serviceWords: serviceWords.map(change) }),
	});
}

/** For an item that was not sent because the run stopped, or was cancelled. */
export const runEndedBefore = (): Failure =>
	new Failure('Not sent: the run ended before this item was sent', 'notSent', { retryable: true });
