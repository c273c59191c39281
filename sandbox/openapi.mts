// The one reader of openapi.yaml: for the server, the documentation made of it, and the contract test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** A part of the document; any part may be a reference to another. */
export interface OpenApiNode {
	$ref?: string;
	[key: string]: unknown;
}

let document: OpenApiNode | undefined;

/** @returns a copy of its own for every caller */
export const readOpenApi = (): OpenApiNode =>
	structuredClone(
		(document ??= parse(
			readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8'),
		) as OpenApiNode),
	);

/** What a node refers to; the node itself if it is no reference. */
export const followReference = (document: OpenApiNode, node: OpenApiNode): OpenApiNode =>
	node.$ref === undefined
		? node
		: (node.$ref
				.slice('#/'.length)
				.split('/')
				.reduce<unknown>((at, key) => (at as OpenApiNode)[key], document) as OpenApiNode);
