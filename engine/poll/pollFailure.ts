// Why a poll fails. Nothing is lost by it: the state stays as it is, and the next poll finds the same changes.
import { Failure } from '../failure';
import { asFailure } from '../items/errors';

export const pollFailure = (message: string, advice: string): Failure =>
	new Failure(message, 'refused', { advice });

/** @returns the failure with advice for a poll: there is no item that could be run again */
export function asPollFailure(error: unknown): Failure {
	const { message, outcome, details, advice } = asFailure(error, 'notSent');
	const adviceOfPoll = advice?.replace(
		/run this item again(?: later)?/,
		'the next poll finds all that changed',
	);
	return new Failure(message, outcome, { ...details, advice: adviceOfPoll });
}
