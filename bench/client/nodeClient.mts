// Runs a node in n8n's own engine, with the expression engine and the binary data mode of n8n's server.
import type { INodeExecutionData } from 'n8n-workflow';

import type { CredentialStore } from '../../n8n-in-process/credentials.mts';
import {
	Container,
	core,
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
import { httpRequest, ours, oursFixed, type Workload } from '../measures.mts';
import { totalVendors } from '../service/responses.mts';
import { fixWindow } from './fixedWindow.mts';
import { httpRequestType, loadHttpRequestNode } from './httpRequestNode.mts';
import { credentialSettings, nodeVariants, type NodeVariant } from './nodeVariants.mts';
import { PlainNode, plainNodeType } from './plainNode.mts';

export interface MeasurementTask {
	workload: Workload;
	variant: string;
	url: string;
	items: number;
	/** The paths of the files that an upload sends; `small` is sent while warming up. */
	files?: { measured: string; small: string };
}

/**
 * Work that is ready to start. @returns the number of items that did not succeed
 */
export type PreparedWork = () => Promise<number>;

/** Does the work of a task as one variant. */
export interface Client {
	/**
	 * @param account the account that is measured, or another one for warming up
	 * @param file the path of the file that each item uploads, if the workload is an upload
	 */
	prepare: (account: 'measured' | 'other', count: number, file?: string) => Promise<PreparedWork>;
	/** Signs the measured account in, since in an n8n that has been running it is signed in already. */
	signIn: () => Promise<void>;
}

/** The number of records in an output item. The HTTP Request node gives one item for each page of a list. */
const recordsIn = ({ json }: INodeExecutionData): number => {
	if (json.error !== undefined) return 0;
	return Array.isArray(json.vendors) ? json.vendors.length : 1;
};

/** Items that each hold a record to create, or a patch. */
const rowItems = (workload: Workload, count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, n) => ({
		json:
			workload === 'patches'
				? { op: 'replace', path: [{ path: `/licenses/${n}` }], value: [{ userID: 7 }] }
				: {
						name: `Shift ${n}`,
						fromDate: '2026-03-01T07:00:00-05:00',
						toDate: '2026-03-02T07:00:00-05:00',
						stationNumber: '4',
					},
	}));

const execution = { type: 'execution', workflowId: 'workflow', executionId: 'run' } as const;
const about = { mimeType: 'application/octet-stream', fileName: 'bench.bin', data: '' };

/** Items that each hold a copy of a file, stored as n8n's server stores binary data. */
const fileItems = (file: string, count: number): Promise<INodeExecutionData[]> =>
	Promise.all(
		Array.from({ length: count }, async () => ({
			json: {},
			binary: {
				data: await Container.get(core.BinaryDataService).copyBinaryFile(execution, about, file),
			},
		})),
	);

export async function nodeClient({ workload, variant, url }: MeasurementTask): Promise<Client> {
	await setBinaryMode('filesystem');
	await useProductionExpressions();
	useProductionLogLevel();
	if (variant === oursFixed) fixWindow();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const parts = {
		credentialTypes,
		nodeTypes: {
			...nodeTypes,
			[plainNodeType]: new PlainNode(),
			...(variant === httpRequest && { [httpRequestType]: await loadHttpRequestNode() }),
		},
	};
	const store = (username: string) =>
		credentialStoreWith(
			sandboxCredential(url, { grantType: 'password', username, ...credentialSettings }),
		);
	const stores = { measured: store('measured'), other: store('other') };
	const variants = nodeVariants(url);

	const work =
		(
			{ type, parameters, typeVersion }: NodeVariant,
			credentials: CredentialStore,
			items: INodeExecutionData[],
			wanted = items.length,
		): PreparedWork =>
		async () => {
			const nodeSettings = { typeVersion };
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
