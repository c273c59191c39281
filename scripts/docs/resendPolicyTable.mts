// When a request is sent again, as a table to read in docs/reliability.md: the engine's own table of it.
import type * as RetryPolicy from '../../engine/send/retryPolicy.ts';
import { table } from './markdown.mts';
import { built } from './package.mts';

const { retryRules, methodsSentAgain } = built('engine/send/retryPolicy.js') as typeof RetryPolicy;

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export const resendPolicyTable = (): string =>
	table(
		['What happened', 'Processed?', ...methods],
		retryRules.map((rule) => [
			rule.happened,
			rule.processed,
			...methods.map((method) => (methodsSentAgain(rule).includes(method) ? 'again' : 'never')),
		]),
	);
