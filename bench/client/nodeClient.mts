// A node in n8n's own engine, with the expressions and the binary data of n8n's server.
import type { INodeExecutionData } from 'n8n-workflow';

import type { CredentialStore } from '../../runner/credentials.mts';
import { setBinaryMode, useProductionExpressions } from '../../runner/n8n.mts';
import { nodeName, storeWith, workflowOf } from '../../runner/oneNode.mts';
import { loadPackage } from '../../runner/package.mts';
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { runWorkflow } from '../../runner/workflow.mts';
import { httpRequest, ours } from '../names.mts';
import { totalRows } from '../service/answers.mts';
import { fileItems } from './fileItems.mts';
import { httpRequestType, loadHttpRequest } from './httpRequest.mts';
import { otherNodes } from './otherNodes.mts';
import { rows } from './rows.mts';
import type { Client, Kind, Task, Work } from './task.mts';
import { nodeWays, type NodeWay } from './ways.mts';

/** How many records an output holds: a page is one item of the HTTP Request node. */
const recordsIn = ({ json }: INodeExecutionData): number => {
	if (json.error !== undefined) return 0;
	return Array.isArray(json.vendors) ? json.vendors.length : 1;
};

const rowItems = (kind: Kind, count: number) => rows(kind, count).map((json) => ({ json }));

/** @param task its kind, way and address */
export async function nodeClient({ kind, way, url }: Task): Promise<Client> {
	await setBinaryMode('filesystem');
	await useProductionExpressions();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const parts = {
		credentialTypes,
		nodeTypes: {
			...nodeTypes,
			...otherNodes(url),
			...(way === httpRequest && { [httpRequestType]: await loadHttpRequest() }),
		},
	};
	const store = (username: string) =>
		storeWith(sandboxCredential(url, { grantType: 'password', username }));
	const stores = { measured: store('measured'), other: store('other') };
	const ways = nodeWays(url);

	const work =
		(
			chosen: NodeWay,
			credentials: CredentialStore,
			items: INodeExecutionData[],
			wanted = items.length,
		): Work =>
		async () => {
			const workflow = workflowOf({ ...chosen, items });
			const { output, task } = await runWorkflow(workflow, { ...parts, credentials });
			if (task(nodeName)?.error) return wanted;
			const made = output(nodeName)[0] ?? [];
			return wanted - made.reduce((sum, item) => sum + recordsIn(item), 0);
		};

	return {
		async ready(account, count, file) {
			const items = file ? await fileItems(file, count) : rowItems(kind, count);
			return work(ways[kind][way]!, stores[account], items, kind === 'list' ? totalRows : count);
		},
		async signIn() {
			const create = work(ways.create[ours]!, stores.measured, rowItems('create', 1));
			if ((await create()) > 0) throw new Error('Signing in failed');
		},
	};
}
