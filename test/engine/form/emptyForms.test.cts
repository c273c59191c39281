// A node with an empty form, or without an operation, never changes a record.
import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { nodeParameters, nodes, isTrigger } from '../../contract/tables.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();

const named = nodes
	.filter((node) => !isTrigger(node))
	.map((node) => [node.constructor.name, node] as const);

test.each(named)('%s: a node just added to the canvas writes nothing', async (_, node) => {
	const run = sandbox.run({ node, parameters: nodeParameters(node, {}, true) });
	// n8n itself does not run a node with missing values.
	const { error } = await run.catch((thrown: Error) => ({ error: thrown }));
	const requests = sandbox.requests();
	expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	expect(error === undefined).toBe(requests.length > 0);
});

test('with only a path, the node for any request reads', async () => {
	const node = new AgencyRecordsRequest();
	const path = '/agencyinspections/inspections/101/answers/101';
	await sandbox.run({ node, parameters: { path } });
	const methods = sandbox.exchanges.flatMap(({ url, method }) => (url === path ? method : []));
	expect(methods).toEqual(['GET']);
});

test.each(named)('%s: the default operation reads, if any operation does', (_, node) => {
	const { properties } = node.description;
	for (const { name, default: initial, options = [] } of properties) {
		const choices = options as Array<{ value: string }>;
		if (name !== 'operation' || choices.every(({ value }) => !value.startsWith('get'))) continue;
		expect(initial).toMatch(/^get/);
	}
});
