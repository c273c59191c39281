// n8n's own HTTP Request node, loaded from the full n8n. It shares this package's copies of n8n-workflow and n8n-core.
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';

import type { INodeType, VersionedNodeType } from 'n8n-workflow';

import { ensureN8nInstalled } from '../../n8n-full/install.mts';

export const httpRequestType = 'n8n-nodes-base.httpRequest';
export const httpRequestVersion = 4.5;

const shared = ['n8n-workflow', 'n8n-core', '@n8n/di'];

export async function loadHttpRequestNode(): Promise<INodeType> {
	const require = createRequire(import.meta.url);
	// With a second copy of n8n's classes, `instanceof` would not recognize the node's errors.
	registerHooks({
		resolve: (specifier, context, next) =>
			next(
				specifier,
				shared.includes(specifier) ? { ...context, parentURL: import.meta.url } : context,
			),
	});
	const folder = join(
		await ensureN8nInstalled(),
		'..',
		'..',
		'..',
		'n8n-nodes-base',
		'dist',
		'nodes',
	);
	const { HttpRequest } = require(join(folder, 'HttpRequest', 'HttpRequest.node.js')) as {
		HttpRequest: new () => VersionedNodeType;
	};
	return new HttpRequest().getNodeType(httpRequestVersion);
}
