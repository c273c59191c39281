// All nodes in one table: what they do, and what they ask for.
import { code, table } from './markdown.mts';
import type { DocumentedNode, DocumentedPackage } from './package.mts';

const linkTo = ({ description, page }: DocumentedNode, folder = ''): string =>
	`[${description.displayName}](${folder}${page})`;

/**
 * For the README, in plain words.
 * @param folder of the documentation, seen from there
 */
export const whatNodesDo = ({ nodes, trigger }: DocumentedPackage, folder: string): string =>
	table(
		['Node', 'What it does', 'Operation'],
		[
			...nodes.map((node) => [
				linkTo(node, `${folder}nodes/`),
				node.description.description,
				node.operations.map(({ operation }) => operation.action).join(', '),
			]),
			[
				`[${trigger.displayName}](${folder}trigger.md)`,
				trigger.description,
				'On changes in a list',
			],
		],
	);

/** The index of the nodes' pages. */
export function nodesIndex(nodes: readonly DocumentedNode[]): string {
	const rows = nodes.flatMap((node) =>
		node.operations.map(({ resource, operation }) => [
			linkTo(node),
			`${resource.label}: ${operation.label}`,
			code(operation.request),
		]),
	);
	return [
		'# Nodes',
		'One node for each area of the service. Made by `npm run docs` from the tables in [`nodes/`](../../nodes), and from examples that were run.',
		table(['Node', 'Operation', 'Request'], rows),
	].join('\n\n');
}
