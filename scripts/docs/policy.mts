// The policy of engine/send as a table to read, in docs/reliability.md.
import { retryRules, methodsSentAgain } from '../../engine/send/retryPolicy.ts';
import { table } from './markdown.mts';

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export const policyDocs = (): string =>
	table(
		['What happened', 'Processed?', ...methods],
		retryRules.map((row) => [
			row.happened,
			row.processed,
			...methods.map((method) => (methodsSentAgain(row).includes(method) ? 'again' : 'never')),
		]),
	);
