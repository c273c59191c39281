// The results of each input item, and what became of the item by them.
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../failure';
import { outcomeNames, outcomes, type Outcome, type RecordState } from '../outcome';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** The results by input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

const mayBeResent = (result: Result): boolean => isFailure(result) && !!result.details.retryable;

export const outcomeOfResult = (result: Result): Outcome =>
	isFailure(result) ? result.outcome : 'sent';

/**
 * What became of an item. That of its paths may differ.
 * @param hasBegun whether this run has begun to send it
 */
export function outcomeOfItem(results: readonly Result[] | undefined, hasBegun = true): Outcome {
	const found = new Set<Outcome>(results?.map(outcomeOfResult) ?? ['notSent']);
	if (new Set([...found].map((one) => outcomes[one].heading)).size > 1) return 'partly';
	const outcome = outcomeNames.find((one) => one !== 'sent' && found.has(one)) ?? 'sent';
	return outcomes[outcome].state === 'processed' && !hasBegun ? 'alreadySent' : outcome;
}

/** The known state of an item's record. One that may be resent without harm counts as not processed. */
export function recordStateOf(results: readonly Result[] | undefined): RecordState {
	const isHarmless = results?.some(isFailure) && results.every(mayBeResent);
	return isHarmless ? 'notProcessed' : outcomes[outcomeOfItem(results)].state;
}

/** Whether an item may be sent: it was not sent yet, or all of it failed and changed nothing. A key is asked about anew. */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	recordStateOf(results) === 'notProcessed';
