// All nodes in one table: for the README, and for the index of the nodes' pages.
import { basename } from 'node:path';

import { pageOfNode } from '../addresses.mjs';
import { code, table } from './markdown.mts';
import type { DocumentedNode, DocumentedPackage } from './package.mts';

const linkTo = ({ description, page }: DocumentedNode, folder = ''): string =>
	`[${description.displayName}](${folder}${page})`;

const classNameOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/**
 * What each node does.
 * @param folder of the documentation, seen from the page
 */
export const nodesTable = ({ nodes, others }: DocumentedPackage, folder: string): string =>
	table(
		['Node', 'What it does', 'Operation'],
		[
			...nodes.map((node) => [
				linkTo(node, `${folder}nodes/`),
				node.description.description,
				node.operations.map(({ operation }) => operation.action).join(', '),
			]),
			...others.map(({ displayName, name, description, polling }) => [
				`[${displayName}](${folder}${basename(pageOfNode(classNameOf(name)))})`,
				description,
				polling ? 'On row added, changed or removed' : 'Check the service',
			]),
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
