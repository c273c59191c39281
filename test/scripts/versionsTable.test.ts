// The README's table of versions holds only what was tried in every version.
import { versionsTable } from '../versions/versionsTable.mts';

const oldest = { n8n: '1.85.4', node: '20.20.2', tasks: { Lists: true, Uploads: true } };
const newest = { n8n: '2.41.1', node: '24.21.0', tasks: { Lists: true, Uploads: false } };

test('has a column for each version and a row for each task', () => {
	expect(versionsTable([oldest, newest])).toBe(
		[
			'|  | n8n 1.85.4, Node.js 20 | n8n 2.41.1, Node.js 24 |',
			'| - | - | - |',
			'| Lists | yes | yes |',
			'| Uploads | yes | no |',
		].join('\n'),
	);
});

test('refuses results in which a version lacks a task', () => {
	const incomplete = { ...newest, tasks: { Lists: true } };
	expect(() => versionsTable([oldest, incomplete])).toThrow(
		'“Uploads” was not tried in n8n 2.41.1',
	);
	expect(() => versionsTable([])).toThrow('No task was tried');
});
