// Loads the built package as n8n does, by the paths in package.json.
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { core } from './n8n.mts';
import type { RunEnvironment } from './workflow.mts';

/** @param folder the folder of the built package */
export async function loadPackage(
	folder = join(import.meta.dirname, '..'),
): Promise<Pick<RunEnvironment, 'nodeTypes' | 'credentialTypes'>> {
	const loader = new core.PackageDirectoryLoader(folder);
	await loader.loadAll();
	const nodeTypes = Object.entries(loader.nodeTypes).map(([name, { type }]) => [
		`${loader.packageName}.${name}`,
		type as INodeType,
	]);
	const credentialTypes = Object.values(loader.credentialTypes).map(({ type }) => type);
	return {
		nodeTypes: Object.fromEntries(nodeTypes) as Record<string, INodeType>,
		credentialTypes,
	};
}
