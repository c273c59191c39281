// The state of one input item: its results, and what became of the item by them.
import type { IDataObject } from 'n8n-workflow';

import { Failure, type FieldProblem } from '../failure';
import { outcomeNames, outcomes, type Outcome, type RecordState } from '../outcome';
import type { InputHints } from '../values/inputHints';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** Whatever a run knows of one of its input items. */
export interface ItemState {
	/** Undefined for an item that has not been sent. */
	results?: readonly Result[];
	/** The results are provisional: they count if the run ends now, and are replaced once more is known. */
	isOpen?: boolean;
	/** This try of the run, or an earlier one, has begun to send it. */
	hasBegun?: boolean;
	/** The output of an item that is only checked: it has no results, since nothing becomes of it. */
	checked?: IDataObject;
	/** On a node with 'Send Once', once the item was read. */
	key?: string;
	/** Of Agency Records Request, once the item was read: the response field with the record's ID, and what is sent where. */
	idField?: string;
	request?: string;
	/** The fields that the setting 'Include' adds to its output, once the item was read. */
	includedFields?: IDataObject;
	/** What is wrong with its values, once the item was read; an item with problems is not sent. */
	problems?: FieldProblem[];
	/** What is unusual about its values, once they were read. */
	inputHints?: InputHints;
}

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

/** Whether an item that was sent before has other values now. */
export const isChanged = (result: Result): boolean =>
	!isFailure(result) && result.alreadySent === true && result.changed === true;

const mayBeResent = (result: Result): boolean => isFailure(result) && !!result.details.retryable;

export const outcomeOfResult = (result: Result): Outcome =>
	isFailure(result) ? result.outcome : 'sent';

/** What became of an item by its results. That of its paths may differ. */
export function outcomeOfResults(results: readonly Result[] | undefined): Outcome {
	const found = new Set<Outcome>(results?.map(outcomeOfResult) ?? ['notSent']);
	if (new Set([...found].map((one) => outcomes[one].heading)).size > 1) return 'partly';
	return outcomeNames.find((one) => one !== 'sent' && found.has(one)) ?? 'sent';
}

/** What becomes of an item if the run ends now. */
export function outcomeOfItem({ results, hasBegun, checked }: ItemState): Outcome {
	if (checked) return 'checked';
	const outcome = outcomeOfResults(results);
	return outcomes[outcome].state === 'processed' && !hasBegun ? 'alreadySent' : outcome;
}

/** The known state of an item's record. One that may be resent without harm counts as not processed. */
export function recordStateOf(results: readonly Result[] | undefined): RecordState {
	const isHarmless = results?.some(isFailure) && results.every(mayBeResent);
	return isHarmless ? 'notProcessed' : outcomes[outcomeOfResults(results)].state;
}

/** Whether an item may be sent: it was not sent yet, or all of it failed and changed nothing. A key is asked about anew. */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	recordStateOf(results) === 'notProcessed';
