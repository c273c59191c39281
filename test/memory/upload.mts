// Uploads a big file with the built package in a process of its own, and prints what it cost in memory.
// Arguments: Base URL of a sandbox, path of the file.
import { basename } from 'node:path';

import type { IBinaryData } from 'n8n-workflow';

import { Container, core, setBinaryMode } from '../../n8n-in-process/n8n.mts';
import {
	nodeName,
	credentialStoreWith,
	singleNodeWorkflow,
} from '../../n8n-in-process/singleNode.mts';
import { loadPackage } from '../../n8n-in-process/package.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { runWorkflow } from '../../n8n-in-process/workflow.mts';

const [baseUrl = '', file = ''] = process.argv.slice(2);
const megabyte = 1024 * 1024;

await setBinaryMode('filesystem');
const parts = {
	...(await loadPackage()),
	credentials: credentialStoreWith(sandboxCredential(baseUrl)),
};
const location = { type: 'execution', workflowId: 'workflow', executionId: 'run' } as const;

async function upload(data: IBinaryData): Promise<unknown> {
	const { output, task } = await runWorkflow(
		singleNodeWorkflow({
			type: 'n8n-nodes-agency-records.agencyFiles',
			parameters: {},
			items: [{ json: {}, binary: { data } }],
		}),
		parts,
	);
	const { error } = task(nodeName) ?? {};
	if (error) throw error;
	return output(nodeName)[0]?.[0]?.json;
}

const binary = Container.get(core.BinaryDataService);
const about = { mimeType: 'application/octet-stream', fileName: basename(file), data: '' };
// Everything that is loaded or allocated once happens before the measurement.
await upload(await binary.store(location, Buffer.alloc(megabyte), { ...about }));
const big = await binary.copyBinaryFile(location, { ...about }, file);

const rss = () => process.memoryUsage.rss();
// Memory that is only waiting to be freed would hide what the upload takes.
globalThis.gc!();
const before = rss();
let peak = before;
const sampling = setInterval(() => (peak = Math.max(peak, rss())), 5);
const startedAt = performance.now();
const record = await upload(big);
const seconds = (performance.now() - startedAt) / 1000;
clearInterval(sampling);
console.log(JSON.stringify({ megabytes: (peak - before) / megabyte, seconds, record }));
