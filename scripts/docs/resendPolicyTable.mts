// When a request is sent again, as a table to read in docs/reliability.md: the engine's own table of it.
import type * as Policy from '../../engine/send/policy.ts';
import { table } from './markdown.mts';
import { built } from './package.mts';

const { rows, sentAgain } = built('engine/send/policy.js') as typeof Policy;

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export const resendPolicyTable = (): string =>
	table(
		['What happened', 'Processed?', ...methods],
		rows.map((row) => [
			row.happened,
			row.processing,
			...methods.map((method) => (sentAgain(row).includes(method) ? 'again' : 'never')),
		]),
	);
