// Why an item did not give its result, in the user's words, and what became of its record.

/**
 * - `notSent`: nothing reached the service
 * - `refused`: the service said no; nothing was changed
 * - `unknown`: it may or may not have been processed
 * - `done`: the service accepted it, but its answer could not be used
 */
export type Outcome = 'notSent' | 'refused' | 'unknown' | 'done';

/** What to do about an unknown outcome. */
export const mayExist =
	'It may or may not have been processed: look it up in the service before sending it again.';

export class Failure extends Error {
	constructor(
		message: string,
		readonly outcome: Outcome,
		readonly more: {
			/** What to do, or the service's text at length. */
			description?: string;
			/** HTTP status of the answer, if there was one. */
			status?: number;
		} = {},
	) {
		super(message);
	}
}
