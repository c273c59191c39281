// What n8n's store knows of a key, as two marks. Both are recorded before the item is sent. When it is known what became
// of the item, "open" is removed; when it was certainly not processed, "sent" is removed too. So whatever dies, and
// whenever: an item that may have been sent has a mark.
import { addressOf } from '../auth/accountSettings';
import type { ItemOutcome } from '../items/results';
import type { Job } from '../kinds/job';

export interface KeyMarks {
	/** The item was sent at some time, or is about to be sent. */
	sent: string;
	/** It is not known what became of the item. */
	open: string;
}

/** A job whose marks are recorded. */
export interface NotedJob {
	job: Job;
	marks: KeyMarks;
	/** What became of the item in all runs before. */
	earlier: ItemOutcome;
}

/** The key of a job in a run with Send Once. */
export const keyOf = ({ values }: Job): string => values.settings.sendOnceKey!;

/**
 * What a key tells items apart in: a service, and an operation.
 * @param baseUrl of the service, in any spelling
 * @param request of the operation
 */
export const keyScope = (baseUrl: string, request: string): string =>
	`${addressOf(baseUrl)}\n${request}`;

/** @returns texts, of which the store keeps hashes */
export const marksOf = (scope: string, key: string): KeyMarks => ({
	sent: `sent\n${scope}\n${key}`,
	open: `open\n${scope}\n${key}`,
});

/**
 * What became of an item in all runs before.
 * @param added the marks that were not there before both were recorded
 */
export function earlierOutcome({ sent, open }: KeyMarks, added: ReadonlySet<string>): ItemOutcome {
	// Also without "sent": where n8n forgets the oldest marks, one of the two may be left.
	if (!added.has(open)) return 'inDoubt';
	return added.has(sent) ? 'notProcessed' : 'processed';
}
