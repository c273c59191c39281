// The examples that users import run as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { CredentialStore } from '../../n8n-in-process/credentials.mts';
import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import {
	isNote,
	manualTriggerType,
	runWorkflow,
	type WorkflowFile,
} from '../../n8n-in-process/workflow.mts';
import { serviceOperations } from '../contract/openapi.cts';
import { entries } from '../contract/tables.cts';
import { useSandbox } from '../harness/useSandbox.cts';

const folder = join(__dirname, '..', '..', 'examples');
const nodeTypes = Object.fromEntries(
	entries.map(({ node }) => [`n8n-nodes-agency-records.${node.description.name}`, node]),
);

/** Without its notes. */
function read(name: string): WorkflowFile {
	const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as WorkflowFile;
	return { ...file, nodes: file.nodes.filter((node) => !isNote(node)) };
}

const isOurs = (type: string) => type === manualTriggerType || type in nodeTypes;
/** Examples with n8n's own nodes need a full n8n: the end-to-end test runs them. */
const examples = readdirSync(folder)
	.filter((name) => read(name).nodes.every(({ type }) => isOurs(type)))
	.map((name) => [name] as const);
const sandbox = useSandbox({ each: 'test' });

test.each(examples)('%s, twice on one sandbox', async (name) => {
	const credentials = new CredentialStore();
	credentials.rows.set('agencyRecordsSandbox', sandboxCredential(sandbox.url));
	const file = read(name);
	const parts = { nodeTypes, credentialTypes: [new AgencyRecordsApi()], credentials };
	const runs = [await runWorkflow(file, parts), await runWorkflow(file, parts)];
	for (const [time, { run, output, task }] of runs.entries()) {
		expect([time, run.data.resultData.error?.message, run.status]).toEqual([
			time,
			undefined,
			'success',
		]);
		for (const node of file.nodes) {
			expect([node.name, task(node.name)?.executionStatus]).toEqual([node.name, 'success']);
			expect([node.name, output(node.name)[0]?.length]).not.toEqual([node.name, 0]);
		}
	}
	for (const { operation, status } of sandbox.exchanges) {
		const { success = 200 } =
			serviceOperations.find(({ operationId }) => operationId === operation) ?? {};
		expect([operation, status]).toEqual([operation, success]);
	}
});

test('one example has every operation', () => {
	const used = read('every-operation.json').nodes.map(({ type, parameters }) => [
		type.split('.')[1],
		parameters.resource,
		parameters.operation,
	]);
	for (const { node, resource, operation } of entries) {
		expect(used).toContainEqual([node.description.name, resource, operation.name]);
	}
});

test('every example has its place and its picture on the page', () => {
	const page = readFileSync(join(folder, '..', 'docs', 'examples.md'), 'utf8');
	for (const name of readdirSync(folder)) {
		expect(page).toContain(`(../examples/${name})`);
		expect(page.toLowerCase()).toContain(`\n## ${read(name).name.toLowerCase()}\n`);
		expect(page).toContain(`pictures/examples/${name.replace('.json', '.png')}`);
	}
});
