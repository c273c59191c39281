// The policy of engine/send as a table to read, in docs/reliability.md.
import { mayRepeat, rows } from '../engine/send/policy.ts';

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export function policyDocs(): string {
	const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
	const lines = rows.map(({ happened, processing }) => {
		const again = methods.map((method) =>
			mayRepeat[processing].includes(method) ? 'again' : 'never',
		);
		return line(happened, processing, ...again);
	});
	const head = ['What happened', 'Processed?', ...methods];
	return [line(...head), line(...head.map(() => '-')), ...lines].join('\n');
}
