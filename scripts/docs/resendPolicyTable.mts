// When a request is sent again, as a table to read in docs/reliability.md: the engine's own table of it.
import type { Outcome } from '../../engine/failure.ts';
import type * as RetryPolicy from '../../engine/send/retryPolicy.ts';
import { table } from './markdown.mts';
import { built } from './package.mts';

const { retryRules } = built('engine/send/retryPolicy.js') as typeof RetryPolicy;

const outcomesInWords: Record<Outcome, string> = {
	notSent: 'not sent',
	refused: 'refused',
	unknown: 'in doubt',
	done: 'done',
};

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export const resendPolicyTable = (): string =>
	table(
		['What happened', 'What became of a write', ...methods],
		retryRules.map(({ happened, outcome, sentAgain }) => [
			happened,
			outcomesInWords[outcome],
			...methods.map((method) => (sentAgain.includes(method) ? 'again' : 'never')),
		]),
	);
