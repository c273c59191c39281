// The built package as its pages describe it: nodes, their tables, and the places on the form.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';

import type * as Tables from '../../engine/area.ts';
import type { Area, Operation, Resource } from '../../engine/area.ts';
import type * as Layout from '../../engine/form/layout.ts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import type { SingleNode } from '../../n8n-in-process/singleNode.mts';
import { pageOfNode } from '../addresses.mjs';
import { exampleNode, exampleOf, type Example } from './examples.mts';
import { describedOperation, type DescribedOperation } from './openapi.mts';

export const root = join(import.meta.dirname, '..', '..');

const require = createRequire(import.meta.url);
/** A module of the built package. */
export const built = (path: string): unknown => require(join(root, 'dist', path));

export const { isWriting } = built('engine/area.js') as typeof Tables;
export const { layoutOf } = built('engine/form/layout.js') as typeof Layout;

export interface DocumentedOperation {
	resource: Resource;
	operation: Operation;
	/** The same operation in the service's document. */
	described: DescribedOperation;
	example: Example;
	/** The node that runs the example. */
	node: SingleNode;
}

export interface DocumentedNode {
	/** Such as `AgencyShiftSchedules`. */
	name: string;
	/** Full name of its type, as workflows hold it. */
	type: string;
	description: INodeTypeDescription;
	/** File name of its page. */
	page: string;
	operations: DocumentedOperation[];
}

export interface DocumentedPackage {
	/** The areas' nodes, sorted by their name in the node panel, deprecated ones last. */
	nodes: DocumentedNode[];
	/** The nodes that have no area of their own. */
	others: INodeTypeDescription[];
	nodeTypes: Record<string, INodeType>;
	credentialTypes: ICredentialType[];
}

/**
 * The operations of a node.
 * @param folder of the built node, such as `dist/nodes/AgencyVendors`
 * @param type full name of the node's type
 * @returns none for a node that has no area
 */
function operationsIn(folder: string, type: string): DocumentedOperation[] {
	const suffix = '.area.js';
	const file = readdirSync(join(root, folder)).find((name) => name.endsWith(suffix));
	if (!file) return [];
	const [area] = Object.values(require(join(root, folder, file)) as Record<string, Area>);
	const table = join('nodes', basename(folder), file);
	return area!.resources.flatMap((resource) =>
		resource.operations.map((operation) => {
			const example = exampleOf(table, operation);
			const node = exampleNode(type, resource.name, operation, example);
			return { resource, operation, described: describedOperation(operation.route), example, node };
		}),
	);
}

/** @throws Error when the package is not built, or an operation of a table is not described or has no example */
export async function documentedPackage(): Promise<DocumentedPackage> {
	const { nodeTypes, credentialTypes } = await loadPackage(root);
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		name: string;
		n8n: { nodes: string[] };
	};
	const nodes = manifest.n8n.nodes.flatMap((path): DocumentedNode[] => {
		const name = basename(path, '.node.js');
		const type = `${manifest.name}.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
		const operations = operationsIn(dirname(path), type);
		if (operations.length === 0) return [];
		const { description } = nodeTypes[type]!;
		const page = basename(pageOfNode(name));
		return [{ name, type, description, page, operations }];
	});
	const isDeprecated = ({ operations }: DocumentedNode) =>
		Number(operations.every(({ described }) => described.isDeprecated));
	nodes.sort(
		(one, other) =>
			isDeprecated(one) - isDeprecated(other) ||
			one.description.displayName.localeCompare(other.description.displayName),
	);
	const others = Object.values(nodeTypes)
		.map(({ description }) => description)
		.filter(({ name }) => nodes.every(({ description }) => description.name !== name));
	return { nodes, others, nodeTypes, credentialTypes };
}
