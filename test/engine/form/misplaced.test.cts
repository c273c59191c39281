// What an assistant writes beside or among the options, where n8n would drop it: nothing is sent without what it means.
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { nodeParameters, nodes } from '../../contract/tables.cts';
import { aDay } from '../../harness/aDay.mts';
import { useStoreOfKeys } from '../../harness/keyRows.cts';
import { runNode } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

useStoreOfKeys();
const sandbox = useSandbox({ each: 'test' });

/** @param parameters as they are written; n8n keeps of them what the node declares */
const run = async (node: INodeType, parameters: INodeParameters) => {
	const saved = nodeParameters(node, parameters, false);
	const result = await runNode({ node, parameters: saved, credentials: sandbox.credentials() });
	const methods = sandbox.exchanges.flatMap(({ url, method }) =>
		url.startsWith('/agency') ? method : [],
	);
	return { ...result, methods };
};
const create = (more: INodeParameters) =>
	run(new AgencyShiftSchedules(), { fields: { ...aDay, name: 'A' }, ...more });

describe.each([
	['checkOnly', 'Check Only', 'checkOnly'],
	['dryRun', 'Check Only', 'checkOnly'],
	['validateOnly', 'Check Only', 'checkOnly'],
	['sendOnceKey', 'Send Once', 'sendOnceKey'],
	['sendOnce', 'Send Once', 'sendOnceKey'],
	['idempotencyKey', 'Send Once', 'sendOnceKey'],
])('%s', (name, label, meant) => {
	const value = meant === 'checkOnly' ? true : '={{ $json.rowID ?? 7 }}';
	const places: INodeParameters[] = [
		{ [name]: value },
		{ [name]: value, options: { include: 'inputItem' } },
		...(name === meant ? [] : [{ options: { [name]: value } }]),
	];

	test('is refused, with the option that is meant', async () => {
		for (const place of places) {
			const { error, methods } = await create(place);
			expect([error?.message, methods]).toEqual([
				`'${name}' has no effect where it is: use '${label}'`,
				[],
			]);
			expect(error?.description).toContain(`parameters.options.${meant}`);
		}
	});

	test('is no dead end: the option alone counts once it is there', async () => {
		const options = { [meant]: value };
		const { error, json } = await create({ [name]: value, options });
		expect(error).toBeUndefined();
		expect('wouldSend' in json[0]!).toBe(meant === 'checkOnly');
	});

	test('that is off, or of a node that only reads, is no fault', async () => {
		expect((await create({ [name]: false })).error).toBeUndefined();
		const path = '/agencyvendors/vendors';
		const { error } = await run(new AgencyRecordsRequest(), { path, [name]: value });
		expect(error).toBeUndefined();
	});
});

describe('method', () => {
	const request = (more: INodeParameters) =>
		run(new AgencyRecordsRequest(), { path: '/agencyvendors/vendors', ...more });

	test.each([
		[{ method: 'PATCH' }, 'get sends GET, not PATCH'],
		[{ method: 'delete' }, 'get sends GET, not DELETE'],
		[{ method: ['PUT'] }, 'get sends GET, not PUT'],
		[{ method: 'GET', operation: 'post', body: '{"name":"A"}' }, 'post sends POST, not GET'],
	])('%j is refused', async (parameters, words) => {
		const { error, methods } = await request(parameters);
		expect([error?.message, methods]).toEqual([
			expect.stringMatching(/^'method' .*'Operation'$/),
			[],
		]);
		expect(error?.description).toContain(`parameters.operation: ${words}`);
	});

	test.each([{ method: 'GET' }, { method: 'get', operation: 'getMany', rowsKey: 'vendors' }])(
		'%j says the same as the operation',
		async (parameters) => expect((await request(parameters)).methods).toContain('GET'),
	);
});

test('nobody sees any of it', () => {
	const guessed = /^(?:method|dryRun|validateOnly|sendOnce|idempotencyKey)$/;
	const inputsOf = (properties: readonly INodeProperties[]): INodeProperties[] =>
		properties.flatMap((one) =>
			one.type === 'collection' ? inputsOf(one.options as INodeProperties[]) : one,
		);
	for (const { description } of nodes)
		for (const { name, type } of inputsOf(description.properties))
			if (guessed.test(name)) expect(type).toBe('hidden');
});
