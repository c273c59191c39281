// The example with every operation, started by a webhook: each call is one execution in n8n's own process.
import type { INode } from 'n8n-workflow';

import { everyOperationExample } from '../../n8n-full/n8nWithSandbox.mts';

const [[triggerName, [row]]] = Object.entries(everyOperationExample.pinData!) as [
	[string, NonNullable<typeof everyOperationExample.pinData>[string]],
];
const { report } = row!.binary!;

const at = { position: [0, 0] as [number, number] };

const webhook: INode = {
	...at,
	id: 'webhook',
	webhookId: 'soak',
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	parameters: {
		httpMethod: 'POST',
		path: 'soak',
		responseMode: 'lastNode',
		responseData: 'noData',
		options: {},
	},
};

/** Replaces the example's trigger: it has the same name and returns the same row. */
const oneRow: INode = {
	...at,
	id: 'row',
	name: triggerName,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.3,
	parameters: {
		mode: 'raw',
		jsonOutput: JSON.stringify(row!.json),
		options: { includeBinary: true },
	},
};

/** Makes the codes that the service accepts only once differ between executions of the same millisecond. */
const withUniqueCodes = (node: INode): INode =>
	JSON.parse(JSON.stringify(node).replaceAll('$now.toMillis()', '$execution.id')) as INode;

const { nodes, connections } = everyOperationExample;

export const webhookWorkflow = {
	...everyOperationExample,
	id: 'soak',
	pinData: {},
	nodes: [
		webhook,
		oneRow,
		...nodes.filter(({ name }) => name !== triggerName).map(withUniqueCodes),
	],
	connections: {
		...connections,
		[webhook.name]: { main: [[{ node: triggerName, type: 'main', index: 0 }]] },
	},
};

/**
 * Runs one execution, from the call of the webhook to its end.
 * @param url the address of n8n
 * @throws Error when the execution fails
 */
export async function runOnce(url: string): Promise<void> {
	const form = new FormData();
	const file = new Blob([Buffer.from(report!.data, 'base64')], { type: report!.mimeType });
	form.append('report', file, report!.fileName);
	const answer = await fetch(`${url}/webhook/soak`, { method: 'POST', body: form });
	if (!answer.ok) throw new Error(`The execution failed: ${await answer.text()}`);
}
