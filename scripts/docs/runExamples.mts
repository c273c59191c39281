// Runs the examples of the nodes' pages through n8n's own engine against the sandbox, so that none is invented.
import type { IDataObject } from 'n8n-workflow';

import {
	nodeName,
	credentialStoreWith,
	singleNodeWorkflow,
} from '../../n8n-in-process/singleNode.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';
import { startSandbox, type Exchange } from '../../sandbox/server.mts';
import type { DocumentedOperation, DocumentedPackage } from './package.mts';

/** An example's request and output. */
export interface ExampleRun {
	/** Method and address, below the Base URL. */
	sentTo: string;
	output: IDataObject[];
}

/**
 * Runs every operation's example.
 * @returns by the operation's route
 * @throws Error when an example does not succeed
 */
export async function runExamples({
	nodes,
	...parts
}: DocumentedPackage): Promise<ReadonlyMap<string, ExampleRun>> {
	let exchanges: Exchange[] = [];
	const sandbox = await startSandbox({ onExchange: (exchange) => exchanges.push(exchange) });
	const run = async ({ operation, node }: DocumentedOperation): Promise<ExampleRun> => {
		exchanges = [];
		const { task, output } = await runWorkflow(singleNodeWorkflow(node), {
			...parts,
			credentials: credentialStoreWith(sandboxCredential(sandbox.url)),
		});
		const error = task(nodeName)?.error;
		if (error) throw new Error(`The example of ${operation.route} fails: ${error.message}`);
		const { method, url } = exchanges.find(({ url }) => url.startsWith('/agency'))!;
		return {
			sentTo: `${method} ${decodeURIComponent(url)}`,
			output: output(nodeName)[0]!.map(({ json }) => json),
		};
	};
	try {
		const runs = new Map<string, ExampleRun>();
		for (const { operations } of nodes) {
			for (const one of operations) runs.set(one.operation.route, await run(one));
		}
		return runs;
	} finally {
		await sandbox.close();
	}
}
