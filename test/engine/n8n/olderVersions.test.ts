// The nodes in versions of n8n that lack some of what a node may use.
import type { IExecuteFunctions } from 'n8n-workflow';

import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { runNode } from '../../harness/run';
import { startFakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';

test('without hints in n8n the output is the same', async () => {
	const path = '/licenses/1';
	const ok = [
		{ path, status: 200 },
		{ path: '/licenses/2', status: 200 },
	];
	const service = await startFakeService((_request, response) =>
		response.end(JSON.stringify({ ok })),
	);
	const node = new AgencyLicenses();
	const { json, error, hints } = await runNode({
		node: {
			...node,
			description: node.description,
			async execute(this: IExecuteFunctions) {
				const ctx = Object.create(this, {
					addExecutionHints: { value: undefined },
				}) as IExecuteFunctions;
				return await node.execute.call(ctx);
			},
		},
		parameters: {
			op: 'replace',
			path: { entries: [{ path }] },
			value: { entries: [{ userID: 7 }] },
			options: {},
		},
		credentials: credentialsFor(service.url),
	});
	await service.close();
	expect([error, json, hints]).toEqual([undefined, [ok[0]], []]);
});
