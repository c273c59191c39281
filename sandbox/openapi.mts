// The one reader of openapi.yaml: for the server, the documentation made of it, and the contract test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** A part of the document; any part may be a reference to another. */
export interface OpenApiNode {
	$ref?: string;
	[key: string]: unknown;
}

/** The identity of an operation in the document. */
export interface OpenApiOperation {
	operationId: string;
	/** The one tag that every operation has: the title of its area. */
	tags: [string];
}

export const operationsOf = ({ paths }: OpenApiNode): OpenApiOperation[] =>
	Object.values(paths as Record<string, Record<string, OpenApiOperation>>).flatMap((methods) =>
		Object.values(methods),
	);

const document = parse(
	readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8'),
) as OpenApiNode;

/** @returns a copy of its own for every caller */
export const readOpenApi = (): OpenApiNode => structuredClone(document);

/** The node that a reference leads to; a node that is not a reference, as is. */
export const followReference = (document: OpenApiNode, node: OpenApiNode): OpenApiNode =>
	node.$ref === undefined
		? node
		: (node.$ref
				.slice('#/'.length)
				.split('/')
				.reduce<unknown>((at, key) => (at as OpenApiNode)[key], document) as OpenApiNode);
