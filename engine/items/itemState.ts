// The state of one input item: its results, and the outcome that follows from them.
import type { IDataObject } from 'n8n-workflow';

import { Failure, type FieldProblem } from '../failure';
import { outcomeNames, outcomes, type Outcome, type RecordState } from '../outcome';

/** One output of an item, or the reason there is none. */
export type Result = IDataObject | Failure;

/** Everything a run knows about one of its input items. */
export interface ItemState {
	/** Undefined if the item has not been sent. */
	results?: readonly Result[];
	/** Whether the results are interim: they apply if the run ends now, and are replaced once more is known. */
	isInterim?: boolean;
	/** Whether this try of the run, or an earlier one, started sending it. */
	hasStarted?: boolean;
	/** The output of an item that is only checked: it is not sent, so it has no results. */
	checked?: IDataObject;
	/** The item's key on a node with 'Send Once', once the item was read. */
	key?: string;
	/** For Agency Records Request, once the item was read: the name of the response field with the record's ID. */
	idField?: string;
	/** For Agency Records Request, once the item was read: the method and path that its failures name. */
	request?: string;
	/** The fields that the setting 'Include' adds to its output, once the item was read. */
	includedFields?: IDataObject;
	/** Once the item was read. An item with problems is not sent. */
	problems?: readonly FieldProblem[];
}

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

export function outcomeOfResult(result: Result): Outcome {
	if (isFailure(result)) return result.outcome;
	return result.alreadySent === true && result.changed === true ? 'changed' : 'sent';
}

/** The outcome of an item with these results: 'partly' if the outcomes of its paths differ. */
export function outcomeOfResults(results: readonly Result[] | undefined): Outcome {
	if (results?.length === 1) return outcomeOfResult(results[0]!);
	const found = new Set<Outcome>(results?.map(outcomeOfResult) ?? ['notSent']);
	if (new Set([...found].map((one) => outcomes[one].heading)).size > 1) return 'partly';
	return outcomeNames.find((one) => one !== 'sent' && found.has(one)) ?? 'sent';
}

/** The outcome of an item if the run ends now. */
export function outcomeOfItem({ results, hasStarted, checked }: ItemState): Outcome {
	if (checked) return 'checked';
	const outcome = outcomeOfResults(results);
	if (hasStarted || outcome === 'changed') return outcome;
	return outcomes[outcome].state === 'processed' ? 'alreadySent' : outcome;
}

/** The known state of an item's record. If every result may be resent without harm, it counts as not processed. */
export function recordStateOf(results: readonly Result[] | undefined): RecordState {
	const isHarmless = results?.every((one) => isFailure(one) && one.details.retryable);
	return isHarmless && results?.length ? 'notProcessed' : outcomes[outcomeOfResults(results)].state;
}

/**
 * Whether an item may be sent or resent: it was not sent, or changed nothing. Its key, if any, is looked up again, even if
 * it was in doubt because of it.
 */
export const isSendable = (results: readonly Result[] | undefined): boolean =>
	recordStateOf(results) === 'notProcessed' ||
	results!.some((one) => isFailure(one) && one.details.reason !== undefined);
