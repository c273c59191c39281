// Keeps the results of `npm run test:versions`. `node test/versions/writeTable.mts` then writes them into
// docs/questions.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { writeParts } from '../../scripts/docs/pages.mts';

/** The results in one version of n8n: whether each task succeeded, by name. */
export interface VersionResult {
	n8n: string;
	node: string;
	tasks: Record<string, boolean>;
}

const file = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'versions.json');

export function saveResults(results: readonly VersionResult[]): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(results));
}

/**
 * The tasks that were tried in each version, with the versions in which one failed.
 * @throws Error when a task was not tried in every version, since such results are no evidence
 */
function taskList(results: readonly VersionResult[]): string {
	const names = [...new Set(results.flatMap(({ tasks }) => Object.keys(tasks)))];
	const versions = results.map(({ n8n, node }) => `${n8n} (Node.js ${node.split('.')[0]})`);
	const lines = names.map((name) => {
		const failed = results.filter(({ n8n, tasks }) => {
			if (tasks[name] === undefined) throw new Error(`“${name}” was not tried in n8n ${n8n}`);
			return !tasks[name];
		});
		return `- ${name}${failed.map(({ n8n }) => ` (not in ${n8n})`).join('')}`;
	});
	return [`n8n ${versions.join(', ')}:`, '', ...lines].join('\n');
}

if (import.meta.main) {
	const results = JSON.parse(readFileSync(file, 'utf8')) as VersionResult[];
	await writeParts({ versions: taskList(results) }, 'node test/versions/writeTable.mts');
}
