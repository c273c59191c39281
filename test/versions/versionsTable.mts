// The table of versions in the README.
import { table } from '../../scripts/docs/markdown.mts';

/** What was seen in one version of n8n: whether each task succeeded, by its name. */
export interface VersionResult {
	n8n: string;
	node: string;
	tasks: Record<string, boolean>;
}

/**
 * @returns the table in Markdown
 * @throws Error when a task was not tried in every version, since such results are no evidence
 */
export function versionsTable(results: readonly VersionResult[]): string {
	const names = [...new Set(results.flatMap(({ tasks }) => Object.keys(tasks)))];
	if (names.length === 0) throw new Error('No task was tried');
	const head = results.map(({ n8n, node }) => `n8n ${n8n}, Node.js ${node.split('.')[0]}`);
	const rows = names.map((name) => [
		name,
		...results.map(({ n8n, tasks }) => {
			if (tasks[name] === undefined) throw new Error(`“${name}” was not tried in n8n ${n8n}`);
			return tasks[name] ? 'yes' : 'no';
		}),
	]);
	return table(['', ...head], rows);
}
