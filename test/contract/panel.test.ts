// What the node panel finds, by n8n's own search over names and aliases, and what a node says on the canvas.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Workflow, type INodeType } from 'n8n-workflow';

import { entries, inWorkflow, nodes } from './tables';

interface Listed {
	properties: { displayName: string; codex: { alias: string[] } };
}
type Search = (words: string, items: Listed[]) => Array<{ item: Listed; score: number }>;
/** n8n-core brings it along. */
const { sublimeSearch } = jest.requireActual<{ sublimeSearch: Search }>(
	'@n8n/utils/search/sublime-search',
);

const aliasesOf = ({ description: { name } }: INodeType): string[] => {
	const folder = `${name[0]!.toUpperCase()}${name.slice(1)}`;
	const file = join(__dirname, '..', '..', 'nodes', folder, `${folder}.node.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] }).alias;
};
/** n8n lists nodes by the alphabet, which decides where scores do not. */
const listed: Listed[] = nodes
	.map((node) => ({
		properties: { displayName: node.description.displayName, codex: { alias: aliasesOf(node) } },
	}))
	.sort((a, b) => a.properties.displayName.localeCompare(b.properties.displayName));
const found = (words: string) =>
	sublimeSearch(words, listed).map(({ item }) => item.properties.displayName);

const isDeprecated = (node: INodeType) => node.description.description.includes('deprecated');
const deprecated = nodes.filter(isDeprecated).map(({ description }) => description.displayName);

test('one node is deprecated', () => {
	expect(deprecated).toEqual(['Agency Apparatus Maintenance']);
});

test.each(['agency', 'fire', 'EMS', 'ems', 'firehouse', 'records', 'fire department', 'personnel'])(
	'%s finds nodes, never the deprecated one first',
	(words) => {
		expect(found(words).length).toBeGreaterThan(1);
		expect(deprecated).not.toContain(found(words)[0]);
	},
);

test('nor does any word of the other nodes, however little of it was typed', () => {
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
	['ambulance', ['Agency Apparatus Maintenance']],
])('%s finds %j first', (words, expected) => {
	expect(found(words).slice(0, expected.length).sort()).toEqual(expected);
});

test.each(entries.map((entry) => [entry.operation.action, entry] as const))(
	'on the canvas a node says "%s"',
	(action, { node, resource, operation }) => {
		const nodeTypes = { getByNameAndVersion: () => node } as never;
		const said = (operationName: string) => {
			const shown = inWorkflow(node, { resource, operation: operationName });
			const workflow = new Workflow({ nodes: [shown], connections: {}, active: false, nodeTypes });
			const { subtitle } = node.description;
			return workflow.expression.getSimpleParameterValue(shown, subtitle, 'internal', {});
		};
		expect(said(operation.name)).toBe(action);
		expect(said('__CUSTOM_API_CALL__')).toBeFalsy();
	},
);
