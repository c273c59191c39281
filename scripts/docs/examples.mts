// The examples of the nodes' pages: run through n8n's own engine against the sandbox, so that none is made up.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { nodeName, storeWith, workflowOf } from '../../runner/oneNode.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { runWorkflow } from '../../runner/workflow.mts';
import { startSandbox, type Exchange } from '../../sandbox/server.mts';
import type { DocumentedNode, DocumentedPackage } from './package.mts';

interface ExampleFile {
	/** The item's field that holds it. */
	field: string;
	name: string;
	/** Media type. */
	type: string;
	text: string;
}

/** An entry of examples.json. */
export interface Example {
	/** The operation's, as in its table. */
	request: string;
	/** What is set on the form, beside the operation. */
	parameters: INodeParameters;
	/** The input item. */
	item: IDataObject;
	file?: ExampleFile;
	/** Of the output: what is another one in each run, and the value that the page shows instead. */
	varying?: IDataObject;
}

export interface ExampleRun extends Example {
	/** Method and address, below the Base URL. */
	sentTo: string;
	mediaType: string;
	/** The JSON that was sent, if any was. */
	body: unknown;
	output: IDataObject[];
}

/** The workflows' time zone. */
export const timezone = 'America/New_York';

export const examples = JSON.parse(
	readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8'),
) as Example[];

/** The example's item, with its file. */
export function inputOf({ item, file }: Example): INodeExecutionData {
	if (!file) return { json: item };
	const { field, name, type, text } = file;
	const data = Buffer.from(text).toString('base64');
	return { json: item, binary: { [field]: { data, mimeType: type, fileName: name } } };
}

/** @throws Error when a value that is said to vary is not there */
function withoutChance(output: IDataObject, { request, varying = {} }: Example): IDataObject {
	const missing = Object.keys(varying).filter((name) => !(name in output));
	if (missing.length > 0) throw new Error(`${request} gives no ${missing.join(', ')}`);
	return { ...output, ...varying };
}

/**
 * Runs every operation's example.
 * @returns by the operation's request line
 * @throws Error when an operation has no example, or an example does not succeed
 */
export async function runExamples({
	nodes,
	...parts
}: DocumentedPackage): Promise<ReadonlyMap<string, ExampleRun>> {
	let exchanges: Exchange[] = [];
	const sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
	const run = async (
		{ type }: DocumentedNode,
		resource: string,
		operation: string,
		example: Example,
	): Promise<ExampleRun> => {
		exchanges = [];
		const parameters = { resource, operation, ...example.parameters };
		const { task, output } = await runWorkflow(
			workflowOf({ type, parameters, items: [inputOf(example)], settings: { timezone } }),
			{ ...parts, credentials: storeWith(sandboxCredential(sandbox.url)) },
		);
		const error = task(nodeName)?.error;
		if (error) throw new Error(`The example of ${example.request} fails: ${error.message}`);
		const { method, url, headers, body } = exchanges.find(({ url }) => url.startsWith('/agency'))!;
		const [mediaType = ''] = headers['content-type']!.split(';');
		return {
			...example,
			sentTo: `${method} ${decodeURIComponent(url)}`,
			mediaType,
			body: mediaType === 'application/json' ? body : undefined,
			output: output(nodeName)[0]!.map(({ json }) => withoutChance(json, example)),
		};
	};
	try {
		const runs = new Map<string, ExampleRun>();
		for (const node of nodes) {
			for (const { resource, operation } of node.operations) {
				const example = examples.find(({ request }) => request === operation.request);
				if (!example) throw new Error(`${operation.request} has no example in examples.json`);
				runs.set(example.request, await run(node, resource.name, operation.name, example));
			}
		}
		return runs;
	} finally {
		await sandbox.close();
	}
}
