// The example with every operation, begun by a webhook: one call is one execution in n8n's own process.
import { setTimeout as delay } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import type { Session } from '../../runtime/n8n.mts';
import { everyOperation } from '../../runtime/station.mts';

const [[rows, [row]]] = Object.entries(everyOperation.pinData!) as [
	[string, NonNullable<typeof everyOperation.pinData>[string]],
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

/** Has the name of the example's trigger, and gives the same. */
const oneRow: INode = {
	...at,
	id: 'row',
	name: rows,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.3,
	parameters: {
		mode: 'raw',
		jsonOutput: JSON.stringify(row!.json),
		options: { includeBinary: true },
	},
};

/** Codes that the service takes once; executions of one millisecond must differ too. */
const perExecution = (node: INode): INode =>
	JSON.parse(JSON.stringify(node).replaceAll('$now.toMillis()', '$execution.id')) as INode;

const { nodes, connections } = everyOperation;

export const webhookWorkflow = {
	...everyOperation,
	id: 'soak',
	pinData: {},
	nodes: [webhook, oneRow, ...nodes.filter(({ name }) => name !== rows).map(perExecution)],
	connections: {
		...connections,
		[webhook.name]: { main: [[{ node: rows, type: 'main', index: 0 }]] },
	},
};

/** Publishes it, and waits until its webhook listens: n8n answers before that. */
export async function publish(session: Session): Promise<void> {
	const path = `/workflows/${webhookWorkflow.id}`;
	const { versionId } = (await session.get(path)) as { versionId: string };
	await session.post(`${path}/activate`, { versionId });
	const isPublished = async () => {
		const now = (await session.get(`${path}/publication-status`)) as { status: string };
		return now.status === 'published';
	};
	while (!(await isPublished())) await delay(100);
}

/**
 * One execution, from its call to its end.
 * @param url of n8n
 * @throws Error when it fails
 */
export async function runOnce(url: string): Promise<void> {
	const form = new FormData();
	const file = new Blob([Buffer.from(report!.data, 'base64')], { type: report!.mimeType });
	form.append('report', file, report!.fileName);
	const answer = await fetch(`${url}/webhook/soak`, { method: 'POST', body: form });
	if (!answer.ok) throw new Error(`The execution failed: ${await answer.text()}`);
}
