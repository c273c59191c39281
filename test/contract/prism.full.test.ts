// An independent reader of the service's description, Stoplight Prism, judges what the nodes send and what the sandbox
// answers.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { isNote, runWorkflow, type WorkflowFile } from '../../n8n-in-process/workflow.mts';
import { useSandbox } from '../harness/useSandbox';
import { serviceOperations } from './openapi';
import { entries } from './tables';

const root = join(__dirname, '..', '..');
const description = join(root, 'sandbox', 'openapi.yaml');
const sandbox = useSandbox();
const started: ChildProcess[] = [];
afterAll(() => started.forEach((child) => child.kill()));

/** @returns the address of a Prism that refuses what the description does not allow */
async function startPrism(...args: string[]): Promise<string> {
	const main = join(root, 'test', 'harness', 'prism.mts');
	const prism = spawn(process.execPath, [main, ...args, '--errors', '--port=0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	started.push(prism);
	let said = '';
	return await new Promise((resolve, reject) => {
		prism.stdout.on('data', (chunk) => {
			said += String(chunk);
			const address = /listening on (http:\/\/[\d.:]+)/.exec(said)?.[1];
			if (address) resolve(address);
		});
		prism.once('exit', () => reject(new Error(`Prism has ended: ${said}`)));
	});
}

const example = JSON.parse(
	readFileSync(join(root, 'examples', 'every-operation.json'), 'utf8'),
) as WorkflowFile;
const workflow = { ...example, nodes: example.nodes.filter((node) => !isNote(node)) };
const nodeTypes = Object.fromEntries(
	entries.map(({ node }) => [`n8n-nodes-agency-records.${node.description.name}`, node]),
);

/** @returns what became of each node of the workflow that runs every operation */
async function runEveryOperation(baseUrl: string, changes = {}) {
	const credentials = new CredentialStore();
	credentials.rows.set('agencyRecordsSandbox', sandboxCredential(baseUrl, changes));
	const { task } = await runWorkflow(workflow, {
		nodeTypes,
		credentialTypes: [new AgencyRecordsApi()],
		credentials,
	});
	return workflow.nodes.map(({ name }) => [
		name,
		task(name)?.error?.message ?? task(name)?.executionStatus,
	]);
}
const allSucceed = workflow.nodes.map(({ name }) => [name, 'success']);

test.each(['password', 'authorizationCode'])(
	'between the nodes and the sandbox, it takes every request and every answer; signed in by %s',
	async (grantType) => {
		const prism = await startPrism('proxy', description, sandbox.url);
		expect(await runEveryOperation(prism, { grantType })).toEqual(allSucceed);
		const answered = new Set(sandbox.exchanges.map(({ operation }) => operation));
		for (const { operationId } of serviceOperations) expect(answered).toContain(operationId);
	},
);

test('in the place of the service, it gives what the nodes can read', async () => {
	const prism = await startPrism('mock', description);
	expect(await runEveryOperation(prism, { grantType: 'password' })).toEqual(allSucceed);
});
