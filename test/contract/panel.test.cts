// Search results of the node panel, by n8n's own search over names and aliases, and a node's texts on the canvas.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { serviceOperations } from './openapi.cts';
import { entries, folderOf, isTrigger, nodes, type Entry } from './tables.cts';

interface Listed {
	properties: { displayName: string; codex: { alias: string[] } };
}
type Search = (words: string, items: Listed[]) => Array<{ item: Listed; score: number }>;
/** It comes with n8n-core. */
const { sublimeSearch } = jest.requireActual<{ sublimeSearch: Search }>(
	'@n8n/utils/search/sublime-search',
);

const aliasesOf = (node: INodeType): string[] => {
	const file = join(__dirname, '..', '..', folderOf(node), `${node.constructor.name}.node.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] }).alias;
};
/** n8n lists nodes alphabetically, which decides between equal scores. */
const listed: Listed[] = nodes
	.map((node) => ({
		properties: { displayName: node.description.displayName, codex: { alias: aliasesOf(node) } },
	}))
	.sort((a, b) => a.properties.displayName.localeCompare(b.properties.displayName));
const found = (words: string) =>
	sublimeSearch(words, listed).map(({ item }) => item.properties.displayName);

const isDeprecated = (node: INodeType) => node.description.description.includes('deprecated');
const deprecated = nodes.filter(isDeprecated).map(({ description }) => description.displayName);

test('a node is marked deprecated if sandbox/openapi.yaml marks all its operations so', () => {
	const isDeprecatedRequest = (request: string) =>
		serviceOperations.some((operation) => operation.request === request && operation.isDeprecated);
	const expected = nodes.filter((node) => {
		const own = entries.filter((entry) => entry.node === node);
		return own.length > 0 && own.every(({ operation }) => isDeprecatedRequest(operation.route));
	});
	expect(deprecated).toEqual(expected.map(({ description }) => description.displayName));
	expect(deprecated).not.toHaveLength(0);
});

test.each(['agency', 'fire', 'EMS', 'ems', 'firehouse', 'records', 'fire department', 'personnel'])(
	'searching for %s finds nodes, and never a deprecated one first',
	(words) => {
		expect(found(words).length).toBeGreaterThan(1);
		expect(deprecated).not.toContain(found(words)[0]);
	},
);

test("no beginning of another node's words finds a deprecated node first", () => {
	const others = nodes.filter((node) => !isDeprecated(node));
	const words = new Set(others.flatMap(aliasesOf));
	const typed = [...words].flatMap((word) =>
		Array.from({ length: word.length - 2 }, (_, n) => word.slice(0, n + 3)),
	);
	expect(typed.filter((part) => deprecated.includes(found(part)[0]!))).toEqual([]);
});

test.each([
	['hydrant', ['Agency Critical Infrastructure', 'Agency Occupancies']],
	['hazard', ['Agency Critical Infrastructure', 'Agency Inspections', 'Agency Occupancies']],
	['roster', ['Agency Shift Schedules']],
	['wildfire', ['Agency Exposures']],
	['paramedic', ['Agency Licenses']],
	['SOP', ['Agency Library']],
	['volunteer', ['Agency Users']],
	['supplier', ['Agency Vendors']],
	['vendor changed', ['Agency Records Trigger']],
	['ambulance', ['Agency Apparatus Maintenance']],
	['truck repair', ['Agency Apparatus Maintenance']],
	['class code', ['Agency Classes']],
	['add attendees', ['Agency Events']],
	['document category', ['Agency Library']],
	['stations', ['Agency Mappings', 'Agency Shift Schedules']],
	['attendance', ['Agency Classes', 'Agency Events']],
	['row changed', ['Agency Records Trigger']],
	['mileage', ['Agency Records Request']],
	['post', ['Agency Records Request']],
	['delete', ['Agency Records Request']],
])('searching for %s finds %j first', (words, expected) => {
	expect(found(words).slice(0, expected.length).sort()).toEqual(expected);
});

const pluralOf = (noun: string): string =>
	/maintenance|people/.test(noun) ? noun : noun.replace(/y$/, 'ie').replace(/$/, 's');
/**
 * The words that a person looking for an operation may type: its record, the plural, and the words of its line in the
 * panel.
 */
const wordsFor = ({ area, resource, operation }: Entry): string[] => {
	const record = area.resources.find(({ name }) => name === resource)!.label.toLowerCase();
	const object = operation.action.replace(/^\w+ (many )?/, '').replace(/ to .*$/, '');
	return [record, pluralOf(record), object, operation.action];
};

test.each(entries)('the words of "$operation.action" find the operation\'s node', (entry) => {
	const named = wordsFor(entry).map((words) => [words, found(words)[0]]);
	const hasSameRecord = (name: string) =>
		entries.some(
			({ node, resource }) => node.description.displayName === name && resource === entry.resource,
		);
	expect(named.filter(([, first]) => !hasSameRecord(first!))).toEqual([]);
});

test('the subtitle is the usual one in n8n: operation and resource', () => {
	const others = nodes.filter((node) => !isTrigger(node)).map(({ description }) => description);
	const subtitles = new Set(others.map(({ subtitle }) => subtitle));
	expect([...subtitles]).toEqual([
		'={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
	]);
});
