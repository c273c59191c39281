// The policy of engine/send as a table to read, in docs/reliability.md.
import { rows, sentAgain } from '../engine/send/policy.ts';

const methods = ['GET', 'DELETE', 'POST', 'PATCH'] as const;

/** The table as Markdown: a line for each row of the policy, in its order. */
export function policyDocs(): string {
	const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
	const lines = rows.map((row) => {
		const again = methods.map((method) => (sentAgain(row).includes(method) ? 'again' : 'never'));
		return line(row.happened, row.processing, ...again);
	});
	const head = ['What happened', 'Processed?', ...methods];
	return [line(...head), line(...head.map(() => '-')), ...lines].join('\n');
}
