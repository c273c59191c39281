// The failure of an item: why it has no result, in words for the user, and what became of its record.

/**
 * What became of the record:
 * - `notSent`: nothing of the request reached the service
 * - `refused`: the service refused a write, or a read gave no data; nothing was changed
 * - `unknown`: the request may or may not have been processed
 * - `done`: the service accepted the request, but its answer could not be read
 */
export type Outcome = 'notSent' | 'refused' | 'unknown' | 'done';

/** The advice for an unknown outcome. */
export const adviceLookUp =
	'It may or may not have been processed: look it up in the service before sending it again.';

/** The advice when the service could not serve the request and nothing was changed. */
export const adviceRunLater = 'Nothing was changed: run this item again later.';

export interface FailureDetails {
	/** What to do, in a sentence or two. */
	advice?: string;
	/** HTTP status of the answer, if there was one. */
	status?: number;
	/** The service's own messages, one entry for each. */
	serviceWords?: string[];
	/** Whether sending the same item again as it is would be harmless and may succeed. */
	retryable?: boolean;
	/** The path that the failure is about, for an item with several paths. */
	path?: string;
	/** Set when signing in was refused: no other request of this run can succeed, nor can a retry of the run. */
	endsRun?: boolean;
	/** How often the request was sent, or was tried to be sent. */
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

/** Changes the texts of a failure, for example to take secrets out. */
export function withWordsChanged(
	{ message, outcome, details }: Failure,
	change: (text: string) => string,
): Failure {
	const { serviceWords } = details;
	return new Failure(change(message), outcome, {
		...details,
		...(serviceWords && { serviceWords: serviceWords.map(change) }),
	});
}

/** The failure of an item that was not sent because the run was stopped or cancelled. */
export const runEndedBefore = (): Failure =>
	new Failure('Not sent: the run ended before this item was sent', 'notSent', { retryable: true });
