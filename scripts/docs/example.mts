// The example of an operation: an item that the sandbox takes. It stands beside the area's table, in
// `nodes/<node>/<area>.example.json`, under the operation's request line.
import { readFileSync } from 'node:fs';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

interface ExampleFile {
	/** The item's field that holds it. */
	field: string;
	name: string;
	/** Media type. */
	type: string;
	text: string;
}

export interface Example {
	/** What is set on the form, beside the operation. */
	parameters: INodeParameters;
	/** The input item. */
	item: IDataObject;
	file?: ExampleFile;
	/** Output fields whose value is another one in each run, with the value that the page shows instead. */
	varying?: IDataObject;
}

/**
 * The examples of a node.
 * @param requests the request lines of the node's operations
 * @returns by request line
 * @throws Error when an operation has no example, or an example is of no operation
 */
export function readExamples(
	file: string,
	requests: readonly string[],
): Readonly<Record<string, Example>> {
	const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Example>;
	const missing = requests.find((request) => !(request in examples));
	if (missing !== undefined) throw new Error(`${file} has no example of ${missing}`);
	const unknown = Object.keys(examples).find((request) => !requests.includes(request));
	if (unknown !== undefined) throw new Error(`${file}: no table has ${unknown}`);
	return examples;
}

/** The example's item as the node gets it, with its file. */
export function inputItemOf({ item, file }: Example): INodeExecutionData {
	if (!file) return { json: item };
	const { field, name, type, text } = file;
	const data = Buffer.from(text).toString('base64');
	return { json: item, binary: { [field]: { data, mimeType: type, fileName: name } } };
}
