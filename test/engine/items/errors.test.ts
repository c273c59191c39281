// The messages that n8n shows are ours: n8n would replace some of them with its own.
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { runNode } from '../../harness/run';
import { startFakeService, type FakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';

let service: FakeService;
/** What the service says in its refusals. */
let refusal: string;
beforeAll(async () => {
	service = await startFakeService((_request, response) => {
		response.statusCode = 400;
		response.end(JSON.stringify({ errors: refusal }));
	});
});
afterAll(() => service.close());

describe('n8n replaces messages that hold a system code, even inside a word', () => {
	test.each([
		'deviceAccess is required',
		'firePermit is not known',
		'a preexisting record',
		'EACCES: permission denied',
		'connect ECONNREFUSED 10.0.0.1:3306',
		'getaddrinfo ENOTFOUND db.internal',
		'eperm, eisdir, enotdir',
		'EHOSTUNREACH, errAddrInUse',
	])('not ours: %s', async (said) => {
		refusal = said;
		const options = {
			node: new AgencyShiftSchedules(),
			parameters: { fields: { name: 'A' } },
			credentials: credentialsFor(service.url),
		};
		const expected = `The service returned status 400: ${said}`;
		const { error } = await runNode(options);
		expect([error?.message, error?.name]).toEqual([expected, 'NodeApiError']);
		expect(error?.description).toMatch(/^Correct the values named above/);
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const { items, errorItems } = await runNode({ ...options, nodeSettings: { onError } });
			expect([...items, ...errorItems].map(({ json }) => json.message)).toEqual([expected]);
		}
	});

	test('nor those of a check before sending', async () => {
		const { error } = await runNode({
			node: new AgencyShiftSchedules(),
			parameters: { fields: { name: '={{ $json.name }}' } },
			items: [{ name: { deviceAccess: 1 } }],
			credentials: credentialsFor(service.url),
		});
		expect(error?.message).toMatch(/^'Name' is \{"deviceAccess":1\}.*$/);
	});
});
