// The README's table of operations is what the tables say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { page, serviceDocs } from '../../scripts/service-docs.mts';
import { entries, tableFields } from './tables';

const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');

test('every operation has its line in the README, and no other is there', () => {
	const lines = readme
		.split('\n')
		.filter((line) => /\| `(GET|POST|PATCH|DELETE) \//.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()));
	const expected = entries.map(({ area, node, resource, operation }) => {
		const { label } = area.resources.find(({ name }) => name === resource)!;
		const fields = tableFields(operation).filter((line) => !line.startsWith('header'));
		const segment = operation.request.split('/')[1]!;
		const names = [segment, node.description.displayName, `${label}: ${operation.label}`];
		return ['', ...names, `\`${operation.request}\``, String(fields.length), ''];
	});
	expect(lines).toEqual(expected.sort((a, b) => a[2]!.localeCompare(b[2]!)));
});

test('docs/service.md is made from the OpenAPI document as it is (npm run docs)', async () => {
	expect(readFileSync(page, 'utf8')).toBe(await serviceDocs());
});
