// The failure of an item: why it has no result, in words for the user, and what is known of its record.
import { outcomes, type Outcome } from './outcome';

/** Failures that keep every item from being sent, whichever item meets them first. */
const codesOfAllItems = {
	keyRefused: ['settings', 'The subscription key was refused'],
	quotaUsedUp: ['service', "The subscription's quota is used up"],
	signInRefused: ['settings', 'Signing in was refused'],
	signInUnavailable: ['service', 'Could not sign in: no connection, or too busy'],
	credentialUnusable: ['settings', 'The credential is missing, wrong, or for another service'],
	n8nUnavailable: ['service', "n8n's database did not respond"],
	tokenRefused: ['settings', 'A fresh token was refused (401)'],
	noConnection: ['settings', 'No connection to the service'],
	serviceUnavailable: ['service', 'The run gave up on the service'],
} as const;

/**
 * The kinds of failures, which workflows branch on: they do not depend on a message's wording. The table in
 * docs/errors.md is generated from them. A published code keeps its meaning.
 */
export const failureCodes = {
	settingsUnusable: ['settings', 'The node cannot run as it is set'],
	invalidValues: ['values', 'Invalid values'],
	...codesOfAllItems,
	noResponse: ['service', 'Sent, but no response came'],
	valuesRefused: ['values', "The service's own checks failed (400, 422)"],
	notPermitted: ['settings', 'The account may not do this (403)'],
	tooBusy: ['service', 'The service was too busy (429, 503)'],
	serviceFailed: ['service', 'The service failed (408, 5xx)'],
	refused: ['values', 'Refused in another way: see `httpStatus`'],
	unreadableResponse: ['service', 'The response proves no success'],
	otherRun: ['values', 'Another run sent it or its key, or may have'],
	keysNotRecorded: ['settings', 'n8n cannot remember the key'],
	other: ['service', 'None of these'],
} as const;

export type FailureCode = keyof typeof failureCodes;

/**
 * Why it is in doubt whether the record of a row with a key is there: an earlier run started to send it, its values were
 * sent under another key, or its key was sent with other values.
 */
export type DoubtReason = 'unknownOutcome' | 'sameValues' | 'otherValues';

/** The advice when something other than the service may have responded. */
export const adviceBaseUrl = "Check 'Base URL' in the credential.";

/** The advice when the service could not serve the request and nothing was changed. */
export const adviceRunLater = 'Nothing was changed: run this item again later.';

/** The doubt about a request that may be resent whether or not it was processed, such as a DELETE. */
const harmlessDoubt = 'May already have been processed: run this item again, which does no harm.';

/** One problem with an item's input, in plain words. */
export interface FieldProblem {
	/** The field's label on the form; '' if the problem concerns the whole record. */
	label: string;
	text: string;
	/** The text without the item's own value, if it names one: items with the same rule are reported together. */
	rule?: string;
	/** The item's own value, as shown in messages. */
	value?: string;
	/** The advice, in a sentence, if correcting the value would not help. */
	advice?: string;
}

/** The problem of each invalid item, by its index. */
export type ProblemsByItem = Map<number, FieldProblem>;

export interface FailureDetails {
	code?: FailureCode;
	/** The advice, in a sentence or two. By default, it follows from the outcome. */
	advice?: string;
	/** HTTP status of the response, if there was one. */
	status?: number;
	/** The service's own messages, one per entry. */
	serviceMessages?: string[];
	/** Whether resending the same item unchanged is harmless and may succeed. */
	retryable?: boolean;
	/** The path that failed, for an item with several paths. */
	path?: string;
	/** The item's key, if the node has 'Send Once'. */
	key?: string;
	/** Why the row is in doubt, if that is because of its key. */
	reason?: DoubtReason;
	/** The problems of the item's values, if these made it fail. */
	problems?: readonly FieldProblem[];
	/** The number of tries, whether or not they were sent. */
	tries?: number;
	/** Milliseconds the service asks to wait. */
	retryAfter?: number;
}

export class Failure extends Error {
	constructor(
		message: string,
		readonly outcome: Outcome,
		readonly details: FailureDetails = {},
	) {
		super(message);
	}

	get advice(): string | undefined {
		const { doubt } = this;
		const { retryable, advice = retryable && !doubt ? adviceRunLater : undefined } = this.details;
		return [doubt, advice].filter(Boolean).join(' ') || undefined;
	}

	get code(): FailureCode {
		return this.details.code ?? 'other';
	}

	/**
	 * What to correct: the settings of the node or credential, the item's values, or the service; `passing` if a retry
	 * may succeed without a correction.
	 */
	get fault() {
		return this.details.retryable ? 'passing' : failureCodes[this.code][0];
	}

	/** The doubt, which begins every message; undefined if there is none, or if the message already states it. */
	get doubt(): string | undefined {
		if (this.code === 'otherRun') return undefined;
		const { doubt } = outcomes[this.outcome];
		return doubt && this.details.retryable ? harmlessDoubt : doubt;
	}

	/** Whether this failure keeps every item from being sent. */
	get isOfAllItems(): boolean {
		return this.outcome === 'notSent' && this.code in codesOfAllItems;
	}

	/**
	 * @param instead replaces the advice to run the item again
	 * @returns the failure for a caller without items, such as a trigger
	 */
	withoutItems(instead: string): Failure {
		const advice = this.advice?.replace(/run this item again(?: later)?/, instead);
		return new Failure(this.message, this.outcome, { ...this.details, advice });
	}

	/**
	 * Changes the texts, for example to remove secrets.
	 * @param key the item's key, if it is known
	 * @param request method and path of the request; they are added to the message unless it names them or nothing was
	 * sent
	 */
	mapTexts(change: (text: string) => string, key = this.details.key, request = ''): Failure {
		const { serviceMessages, advice } = this.details;
		const isNamed = this.outcome === 'notSent' || this.message.includes(request);
		const message = isNamed ? this.message : `${this.message} (${request})`;
		const texts = {
			serviceMessages: serviceMessages?.map(change),
			advice: advice && change(advice),
		};
		return new Failure(change(message), this.outcome, { ...this.details, ...texts, key });
	}
}

/** The failure of a read that returned nothing usable. */
export const readFailure = (message: string, advice?: string): Failure =>
	new Failure(message, 'refused', { advice });

/** The failure of an item that was not sent because the run was stopped or cancelled. */
export const runEndedFailure = (): Failure =>
	new Failure('Not sent: the run ended before this item was sent', 'notSent', { retryable: true });

/** Whether another sign-in with the same settings would be refused, too, and might lock the account. */
export const isSignInRefusal = ({ code }: Failure): boolean =>
	code === 'signInRefused' || code === 'keyRefused';

/**
 * The failure to sign in, for an item that was not sent because of it.
 * @param retryAfter milliseconds the service asks to wait; undefined if it asks for no wait
 */
export function signInFailure(
	message: string,
	code: FailureCode = 'credentialUnusable',
	retryAfter?: number,
): Failure {
	// Such a failure may pass without a change to the credential.
	const retryable = failureCodes[code][0] === 'service';
	const toDo = code === 'noConnection' ? 'Do that' : 'Correct the credential';
	const advice = retryable ? undefined : `Nothing was sent. ${toDo}, then run this item again.`;
	return new Failure(message, 'notSent', { code, retryAfter, retryable, advice });
}
