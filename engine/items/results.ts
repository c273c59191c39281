// The results of each input item, and how the item has ended by them.
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../failure';

/** One output of an item, or why there is none. */
export type Result = IDataObject | Failure;

/** The results by input item; undefined for an item that has not been sent. */
export type Results = Array<readonly Result[] | undefined>;

export const isFailure = (result: Result): result is Failure => result instanceof Failure;

const processed = 'Already processed, do not resend';
const notProcessed = 'Not processed';

/**
 * How an item may have ended, best first: the words by which it is counted, and the beginning of the sentence that tells
 * what this means for sending it again. A read gives rows, and sends none.
 */
export const ends = {
	sent: { counted: 'sent', told: processed },
	alreadySent: { counted: 'already sent', told: processed },
	unreadable: { counted: 'sent, but the response could not be read', told: processed },
	partly: { counted: 'partly processed', told: 'Partly processed' },
	inDoubt: {
		counted: 'in doubt',
		told: 'May or may not have been processed, look them up first',
	},
	awaited: { counted: 'not known yet', told: 'Not known yet, run them again' },
	refused: { counted: 'refused', told: notProcessed },
	notSent: { counted: 'not sent', told: notProcessed },
};

export type End = keyof typeof ends;

export const endNames = Object.keys(ends) as End[];

export function endOfResult(result: Result): End {
	if (!isFailure(result)) return 'sent';
	const { outcome, code } = result;
	if (code === 'keyAwaited') return 'awaited';
	if (outcome === 'done') return 'unreadable';
	return outcome === 'unknown' ? 'inDoubt' : outcome;
}

/**
 * How an item has ended. Its paths may have ended in different ways.
 * @param hasBegun whether this run has begun to send it
 */
export function endOf(results: readonly Result[] | undefined, hasBegun = true): End {
	if (results === undefined) return 'notSent';
	const found = new Set(results.map(endOfResult));
	if (new Set([...found].map((end) => ends[end].told)).size > 1) return 'partly';
	const end = endNames.find((one) => one !== 'sent' && found.has(one)) ?? 'sent';
	return ends[end].told === processed && !hasBegun ? 'alreadySent' : end;
}

/** Whether an item may be sent: it was not sent yet, or all of it failed and changed nothing. A key is asked about anew. */
export const isSendable = (results: readonly Result[] | undefined): boolean => {
	const end = endOf(results);
	return end === 'awaited' || ends[end].told === notProcessed;
};

/** What became of an item, as far as its key is concerned: one that was processed in part is in doubt. */
export type KeyOutcome = 'processed' | 'inDoubt' | 'notProcessed';

export function keyOutcomeOf(results: readonly Result[] | undefined): KeyOutcome {
	if (isSendable(results)) return 'notProcessed';
	return ends[endOf(results)].told === processed ? 'processed' : 'inDoubt';
}
