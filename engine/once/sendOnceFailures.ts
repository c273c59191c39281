// What a person reads about an item that is not sent because of its key.
import { Failure } from '../failure';
import { quotedKey } from '../kinds/uniqueKeys';
import { NeverSavedError } from './markStore';

const keyInWords = (key: string): string => `The key ${quotedKey(key)}`;

/** An earlier run has begun the item, and nobody is known to be sending it. */
export const keyInDoubt = (key: string): Failure =>
	new Failure(
		`${keyInWords(key)} is in doubt: an earlier run was interrupted while sending it, or another run has not ended yet`,
		'unknown',
		{
			code: 'keyInDoubt',
			advice:
				"Look the record up in the service. If it is not there, send the item with 'Send Once: Send Anyway'.",
		},
	);

export const alreadySent = (key: string): Failure =>
	new Failure(`${keyInWords(key)} was already sent by an earlier run`, 'done', {
		code: 'alreadySent',
		advice: 'Nothing was sent for this item.',
	});

/** The largest value of 'Send Once: Remember'. */
export const mostKeys = 100_000;

export const tableForMoreKeys =
	"The limit cannot be raised further: a table of your own database holds any number, as the example 'Nightly Rows in PostgreSQL' does.";

export const storeFull = (key: string, maxKeys: number): Failure => {
	const advice =
		maxKeys < mostKeys
			? "Raise 'Send Once: Remember', set 'Send Once: When Full' to 'Forget the Oldest', or replace the node with a copy of it: a copy remembers nothing."
			: `Set 'Send Once: When Full' to 'Forget the Oldest', or replace the node with a copy of it: a copy remembers nothing. ${tableForMoreKeys}`;
	return new Failure(
		`${keyInWords(key)} is new, but ${maxKeys.toLocaleString('en')} keys are already remembered, which is the limit`,
		'notSent',
		{ code: 'keysFull', advice: `Nothing was sent for this item. ${advice}` },
	);
};

/** @param error what the store threw */
export function storeFailed(error: unknown): Failure {
	if (error instanceof NeverSavedError) {
		return new Failure(
			'Not sent: the workflow was never saved, so n8n cannot remember the key',
			'notSent',
			{
				code: 'keysNotNoted',
				advice: "Save the workflow, or remove 'Send Once'.",
				retryable: true,
			},
		);
	}
	return new Failure(
		`Not sent: n8n's database could not note the key. It says: ${(error as Error).message}`,
		'notSent',
		{
			code: 'keysNotNoted',
			advice: 'Nothing was sent for this item: run it again later.',
			retryable: true,
		},
	);
}
