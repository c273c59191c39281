// What became of an item, or of one path of it: the same words in error items, counts, keys and the log.

/** What is known of an item's record, as far as its key and another run are concerned. */
export type RecordState = 'processed' | 'inDoubt' | 'notProcessed';

interface Meaning {
	state: RecordState;
	/** The words by which items are counted. */
	counted: string;
	/** The beginning of the sentence that tells what this means for sending the item again. */
	told: string;
	/** What a person has to read first of a record that may be there, whatever else is shown of its failure. */
	doubt?: string;
}

const processed = { state: 'processed', told: 'Already processed, do not resend' } as const;
const notProcessed = { state: 'notProcessed', told: 'Not processed' } as const;

/**
 * How an item may have ended:
 * - `unreadable`: the service accepted the request, but its response could not be read
 * - `inDoubt`: the request may or may not have been processed
 * - `awaited`: another run may be sending the item
 * - `refused`: the service refused a write, or a read gave no data; nothing was changed
 * - `notSent`: nothing of the request reached the service
 */
export type Outcome =
	| 'sent'
	| 'alreadySent'
	| 'unreadable'
	| 'partly'
	| 'inDoubt'
	| 'awaited'
	| 'refused'
	| 'notSent';

/** Best first. A read gives rows, and sends none. */
export const outcomes: Readonly<Record<Outcome, Meaning>> = {
	sent: { ...processed, counted: 'sent' },
	alreadySent: { ...processed, counted: 'already sent' },
	unreadable: {
		...processed,
		counted: 'sent, but the response could not be read',
		doubt: 'Was accepted by the service: look it up before resending it.',
	},
	partly: { state: 'inDoubt', counted: 'partly processed', told: 'Partly processed' },
	inDoubt: {
		state: 'inDoubt',
		counted: 'in doubt',
		told: 'May or may not have been processed, look them up first',
		doubt: 'May already have been processed: look it up before resending it.',
	},
	awaited: { ...notProcessed, counted: 'not known yet', told: 'Not known yet, run them again' },
	refused: { ...notProcessed, counted: 'refused' },
	notSent: { ...notProcessed, counted: 'not sent' },
};

export const outcomeNames = Object.keys(outcomes) as Outcome[];
