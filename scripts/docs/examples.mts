// The examples of the operations: pages show them, and tests and pictures run them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../engine/area.ts';
import type { SingleNode } from '../../n8n-in-process/singleNode.mts';

interface ExampleFile {
	/** The item's field that holds it. */
	field: string;
	name: string;
	/** Media type. */
	type: string;
	text: string;
}

/** An item that the sandbox accepts: in `nodes/<node>/<area>.example.json`, under the operation's route. */
export interface Example {
	/** The settings on the form, in addition to the operation. */
	parameters: INodeParameters;
	/** The input item. */
	item: IDataObject;
	file?: ExampleFile;
}

const root = join(import.meta.dirname, '..', '..');

/**
 * @param area the table, such as `nodes/AgencyVendors/vendors.area.ts`
 * @throws Error when the operation has no example
 */
export function exampleOf(area: string, { route }: Operation): Example {
	const path = area.replace(/\.area\.[jt]s$/, '.example.json');
	const examples = JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, Example>;
	const example = examples[route];
	if (!example) throw new Error(`${path} has no example of ${route}`);
	return example;
}

/** The example's item as the node gets it, with its file. */
function inputItemOf({ item, file }: Example): INodeExecutionData {
	if (!file) return { json: item };
	const { field, name, type, text } = file;
	const data = Buffer.from(text).toString('base64');
	return { json: item, binary: { [field]: { data, mimeType: type, fileName: name } } };
}

/** @returns the node that runs the example, and its input */
export const exampleNode = (
	type: string,
	resource: string,
	operation: Operation,
	example: Example,
): SingleNode => ({
	type,
	parameters: { resource, operation: operation.name, ...example.parameters },
	items: [inputItemOf(example)],
});
