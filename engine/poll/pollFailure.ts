// Why a poll fails. Nothing is lost by it: the state stays as it is, and the next poll finds the same changes.
import { Failure } from '../failure';

export const pollFailure = (message: string, advice: string): Failure =>
	new Failure(message, 'refused', { advice });
