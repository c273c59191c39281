// Workflows that were saved with a released version open in today's nodes, ask the service for the same, and give
// items with the same fields. What is kept of a version: npm run release:fixture.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INode } from 'n8n-workflow';

import { loadPackage } from '../../n8n-in-process/package.mts';
import { formNames, type FormNames } from '../../scripts/release/fixture/forms.mts';
import { play } from '../../scripts/release/fixture/play.mts';
import type { SavedCase, SavedNode } from '../../scripts/release/fixture/saved.mts';

const folder = join(__dirname, '..', 'fixtures', 'releases');
const keptOf = (version: string, name: string): unknown =>
	JSON.parse(readFileSync(join(folder, version, name), 'utf8'));
/** None before the first release. */
const versions = existsSync(folder) ? readdirSync(folder) : [];

let today: Awaited<ReturnType<typeof loadPackage>>;
let forms: Record<string, FormNames>;
beforeAll(async () => {
	today = await loadPackage();
	forms = formNames(today.nodeTypes, today.credentialTypes);
});

/** What is missing of a list. */
const without = (all: readonly string[], there: readonly string[]): string[] =>
	all.filter((one) => !there.includes(one));

test('every version that the changelog has released is kept', () => {
	const changelog = readFileSync(join(__dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
	const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - /gm)].map(
		([, version]) => version,
	);
	expect(versions).toEqual(expect.arrayContaining(released));
});

for (const version of versions)
	describe(`of ${version}`, () => {
		const released = Object.entries(keptOf(version, 'forms.json') as Record<string, FormNames>);

		test.each(released)('%s has every name of its form still', (name, { versions, names }) => {
			const now = forms[name] ?? { versions: [], names: [] };
			expect(versions.filter((one) => !now.versions.includes(one))).toEqual([]);
			expect(without(names, now.names)).toEqual([]);
		});

		const saved = (keptOf(version, 'saved.json') as SavedCase[]).map(
			(one) => [one.name, one] as const,
		);

		/** The node on the canvas. */
		const onCanvas = ({ parameters, ...node }: SavedNode, withDefaults: boolean): INode => {
			const { description } = today.nodeTypes[node.type]!;
			const at: INode = { ...node, id: '1', name: 'Node', position: [0, 0], parameters };
			const { properties } = description;
			return {
				...at,
				parameters: NodeHelpers.getNodeParameters(
					properties,
					parameters,
					withDefaults,
					false,
					at,
					description,
				)!,
			};
		};

		test.each(saved)('%s opens as it was saved', (_, { node }) => {
			const { description } = today.nodeTypes[node.type]!;
			const opened = onCanvas(node, true);
			expect(
				NodeHelpers.getNodeParametersIssues(description.properties, opened, description),
			).toBeNull();
			expect(onCanvas({ ...node, parameters: opened.parameters }, false).parameters).toEqual(
				node.parameters,
			);
		});

		test.each(saved)('%s runs as it did', async (_, { node, items, asked, gave }) => {
			const now = await play(node, items, today);
			expect(now.error).toBeUndefined();
			expect(JSON.parse(JSON.stringify(now.asked))).toEqual(asked);
			expect(now.gave).toHaveLength(gave.length);
			expect(without(gave.flat(), now.gave.flat())).toEqual([]);
		});
	});
