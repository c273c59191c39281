// All nodes in one table: for the README, and for the index of the nodes' pages.
import { code, table } from './markdown.mts';
import type { DocumentedNode, DocumentedPackage } from './package.mts';

const linkTo = ({ description, page }: DocumentedNode, folder = ''): string =>
	`[${description.displayName}](${folder}${page})`;

/**
 * What each node does.
 * @param folder of the documentation, seen from the page
 */
export const nodesTable = ({ nodes, trigger }: DocumentedPackage, folder: string): string =>
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

/** @returns the page as Markdown */
export function nodesIndexPage(nodes: readonly DocumentedNode[]): string {
	const rows = nodes.flatMap((node) =>
		node.operations.map(({ resource, operation }) => [
			linkTo(node),
			`${resource.label}: ${operation.label}`,
			code(operation.request),
		]),
	);
	return [
		'# Nodes',
		'One node for each area of the service. `npm run docs` makes these pages from the tables in [`nodes/`](../../nodes), and from examples that it runs.',
		table(['Node', 'Operation', 'Request'], rows),
	].join('\n\n');
}
