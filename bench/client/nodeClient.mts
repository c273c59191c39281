// Runs a node in n8n's own engine, with the expression engine and the binary data mode of n8n's server.
import type { INodeExecutionData } from 'n8n-workflow';

import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import {
	setBinaryMode,
	useProductionExpressions,
	useProductionLogLevel,
} from '../../n8n-in-process/n8n.mts';
import {
	nodeName,
	credentialStoreWith,
	singleNodeWorkflow,
} from '../../n8n-in-process/singleNode.mts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import { httpRequest, ours } from '../variants.mts';
import { totalVendors } from '../service/answers.mts';
import { fileItems } from './fileItems.mts';
import { httpRequestType, loadHttpRequestNode } from './httpRequestNode.mts';
import { comparisonNodes } from './comparisonNodes.mts';
import { requestBodies } from './requestBodies.mts';
import type { Client, Workload, MeasurementTask, PreparedWork } from './measurement.mts';
import { nodeVariants, pageSize, type NodeVariant } from './nodeVariants.mts';

/** How many records an output item holds. The HTTP Request node gives one item for each page of a list. */
const recordsIn = ({ json }: INodeExecutionData): number => {
	if (json.error !== undefined) return 0;
	return Array.isArray(json.vendors) ? json.vendors.length : 1;
};

const rowItems = (workload: Workload, count: number) =>
	requestBodies(workload, count).map((json) => ({ json }));

export async function nodeClient({ workload, variant, url }: MeasurementTask): Promise<Client> {
	await setBinaryMode('filesystem');
	await useProductionExpressions();
	useProductionLogLevel();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const parts = {
		credentialTypes,
		nodeTypes: {
			...nodeTypes,
			...comparisonNodes(url),
			...(variant === httpRequest && { [httpRequestType]: await loadHttpRequestNode() }),
		},
	};
	const store = (username: string) =>
		credentialStoreWith(
			sandboxCredential(url, { grantType: 'password', username, setConventions: true, pageSize }),
		);
	const stores = { measured: store('measured'), other: store('other') };
	const variants = nodeVariants(url);

	const work =
		(
			{ type, parameters, nodeSettings }: NodeVariant,
			credentials: CredentialStore,
			items: INodeExecutionData[],
			wanted = items.length,
		): PreparedWork =>
		async () => {
			const workflow = singleNodeWorkflow({ type, parameters, nodeSettings, items });
			const { output, task } = await runWorkflow(workflow, { ...parts, credentials });
			if (task(nodeName)?.error) return wanted;
			const outputItems = output(nodeName)[0] ?? [];
			return wanted - outputItems.reduce((sum, item) => sum + recordsIn(item), 0);
		};

	return {
		async prepare(account, count, file) {
			const items = file ? await fileItems(file, count) : rowItems(workload, count);
			return work(
				variants[workload][variant]!,
				stores[account],
				items,
				workload === 'list' ? totalVendors : count,
			);
		},
		async signIn() {
			const create = work(variants.create[ours]!, stores.measured, rowItems('create', 1));
			if ((await create()) > 0) throw new Error('Signing in failed');
		},
	};
}
