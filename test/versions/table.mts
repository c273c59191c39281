// The table of versions in the README.
import { table } from '../../scripts/docs/markdown.mts';
import { writePage, withPart } from '../../scripts/docs/written.mts';
import type { TriedVersion } from '../../runtime/n8nVersions.mts';

/**
 * Writes what was seen. Only what was tried in all versions is evidence: a run of some of them writes nothing.
 * @param tasks in the table's order
 * @param done whether each was, by version
 */
export async function writeTable(
	versions: readonly TriedVersion[],
	tasks: readonly string[],
	done: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
): Promise<void> {
	const seen = (task: string) => versions.map(({ n8n }) => done.get(n8n)?.get(task));
	if (tasks.some((task) => seen(task).includes(undefined))) return;
	const head = versions.map(({ n8n, node }) => `n8n ${n8n}, Node.js ${node.split('.')[0]}`);
	const rows = tasks.map((task) => [task, ...seen(task).map((isDone) => (isDone ? 'yes' : 'no'))]);
	const part = table(['', ...head], rows);
	await writePage('README.md', withPart('README.md', 'versions', part, 'npm run test:versions'));
}
