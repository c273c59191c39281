// The outcomes of an item or of one of its paths. Error items, counts, keys and the log use the same words.

/** What is known of an item's record, as far as keys and other runs are concerned. */
export type RecordState = 'processed' | 'inDoubt' | 'notProcessed';

interface Meaning {
	state: RecordState;
	/** Follows a number of items, as in "3 in doubt". */
	label: string;
	/** Precedes the items in a report: what the outcome means for resending them. */
	heading: string;
	/** Begins the message if the record may exist. */
	doubt?: string;
}

const processed = { state: 'processed', heading: 'Already processed, do not resend' } as const;
const notProcessed = { state: 'notProcessed', heading: 'Not processed' } as const;

/** All outcomes, best first. */
const meanings = {
	/** The outcome of a successful read, too, which the counts call "read". */
	sent: { ...processed, label: 'sent' },
	alreadySent: { ...processed, label: 'already sent' },
	/** Under a key that was sent before, the item has other values now. */
	changed: { ...processed, label: 'already sent with other values (compare the records)' },
	/** The service accepted the request, but its response could not be read. */
	unreadable: {
		...processed,
		label: 'sent, but the response could not be read',
		doubt: 'Was accepted by the service: look it up before resending it.',
	},
	partly: {
		state: 'inDoubt',
		label: 'partly processed',
		heading: 'Partly processed, look them up',
	},
	/** The request may or may not have been processed. */
	inDoubt: {
		state: 'inDoubt',
		label: 'in doubt',
		heading: 'May or may not have been processed, look them up first',
		doubt: 'May already have been processed: look it up before resending it.',
	},
	/** Another run may be sending the item. */
	awaited: { ...notProcessed, label: 'not known yet', heading: 'Not known yet, run them again' },
	/** With 'Check Only', the item was read and checked, but not sent. */
	checked: { ...notProcessed, label: 'only checked' },
	/** The service refused a write, or a read returned no data. Nothing was changed. */
	refused: { ...notProcessed, label: 'refused' },
	/** Nothing of the request reached the service. */
	notSent: { ...notProcessed, label: 'not sent' },
} satisfies Record<string, Meaning>;

export type Outcome = keyof typeof meanings;

export const outcomes: Readonly<Record<Outcome, Meaning>> = meanings;

export const outcomeNames = Object.keys(outcomes) as Outcome[];
