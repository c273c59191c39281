// The built package as its pages describe it: nodes, what their tables say, and where it stands on the form.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';

import type { Area, Operation, Resource } from '../../engine/area.ts';
import type * as Labels from '../../engine/form/labels.ts';
import type * as Layout from '../../engine/form/layout.ts';
import { loadPackage } from '../../runner/package.mts';
import { pageOfNode } from '../addresses.mjs';
import { service, type DescribedOperation } from './openapi.mts';

export const root = join(import.meta.dirname, '..', '..');

const require = createRequire(import.meta.url);
/** A module of the built package. */
export const built = (path: string): unknown => require(join(root, 'dist', path));

export const { layout } = built('engine/form/layout.js') as typeof Layout;
export const { labelOf } = built('engine/form/labels.js') as typeof Labels;

export interface DocumentedOperation {
	resource: Resource;
	operation: Operation;
	/** The same operation as the service's document describes it. */
	described: DescribedOperation;
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
	/** Those of the areas, by what the node panel shows, deprecated ones last. */
	nodes: DocumentedNode[];
	/** The node that has no area of its own. */
	trigger: INodeTypeDescription;
	nodeTypes: Record<string, INodeType>;
	credentialTypes: ICredentialType[];
}

function areaIn(folder: string): Area | undefined {
	const file = readdirSync(join(root, folder)).find((name) => name.endsWith('.area.js'));
	if (!file) return undefined;
	return Object.values(require(join(root, folder, file)) as Record<string, Area>)[0]!;
}

const operationsOf = ({ resources }: Area): DocumentedOperation[] =>
	resources.flatMap((resource) =>
		resource.operations.map((operation) => ({
			resource,
			operation,
			described: service.operations.find(({ request }) => request === operation.request)!,
		})),
	);

/** @throws Error when the package is not built */
export async function documentedPackage(): Promise<DocumentedPackage> {
	const { nodeTypes, credentialTypes } = await loadPackage(root);
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		name: string;
		n8n: { nodes: string[] };
	};
	const nodes = manifest.n8n.nodes.flatMap((path): DocumentedNode[] => {
		const area = areaIn(dirname(path));
		if (!area) return [];
		const name = basename(path, '.node.js');
		const type = `${manifest.name}.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
		const { description } = nodeTypes[type]!;
		const page = basename(pageOfNode(name));
		return [{ name, type, description, page, operations: operationsOf(area) }];
	});
	const isDeprecated = ({ operations }: DocumentedNode) =>
		Number(operations.every(({ described }) => described.isDeprecated));
	nodes.sort(
		(one, other) =>
			isDeprecated(one) - isDeprecated(other) ||
			one.description.displayName.localeCompare(other.description.displayName),
	);
	const trigger = Object.values(nodeTypes).find(
		({ description }) => description.polling,
	)!.description;
	return { nodes, trigger, nodeTypes, credentialTypes };
}
