// The policy of engine/send as a table to read, in docs/reliability.md.
import { rows, sentAgain } from '../../engine/send/policy.ts';
import { table } from './markdown.mts';

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export const policyDocs = (): string =>
	table(
		['What happened', 'Processed?', ...methods],
		rows.map((row) => [
			row.happened,
			row.processing,
			...methods.map((method) => (sentAgain(row).includes(method) ? 'again' : 'never')),
		]),
	);
