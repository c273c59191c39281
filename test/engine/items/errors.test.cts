// n8n shows our messages, although it would replace some of them with its own. And the code for branching on an error
// item if neither the item nor the service's response was at fault.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { createSchedules, namedRows, type CreateOptions } from '../../harness/createSchedules.cts';
import { continueOnFail, errorOf, runNode } from '../../harness/run.cts';
import { startLastingService, type FakeService } from '../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { aDay } from '../../harness/aDay.mts';

let service: FakeService;
/** The service's words in its refusals. */
let refusal: string;
beforeAll(async () => {
	service = await startLastingService((_request, response) => {
		response.statusCode = 400;
		response.end(JSON.stringify({ errors: refusal }));
	});
});
afterAll(() => service.close());

const texts = ['deviceAccess is required', 'connect ECONNREFUSED 10.0.0.1:3306'];
test.each(texts)('a message with a system code: %s', async (said) => {
	refusal = said;
	const options = {
		node: new AgencyShiftSchedules(),
		parameters: { fields: { ...aDay, name: 'A' } },
		credentials: credentialsFor(service.url),
	};
	const expected = `The service returned status 400: ${said}`;
	const { error } = await runNode(options);
	expect([error?.message, error?.name]).toEqual([expected, 'NodeApiError']);
	expect(error?.description).toMatch(/^Correct the values, then/);
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const { items, errorItems } = await runNode({ ...options, nodeSettings: { onError } });
		expect([...items, ...errorItems].map(({ json }) => json.message)).toEqual([expected]);
	}
});

describe('a failed item gets the fields that Include adds to others', () => {
	const sandbox = useSandbox();
	const items = [
		{ name: 'A', day: '2026-03-02' },
		{ name: 'B', day: 'soon', message: 'of the row' },
	];

	test.each([
		['continueRegularOutput', 'inputItem', { name: 'B', day: 'soon' }],
		['continueRegularOutput', 'sentFields', { name: 'B', toDate: aDay.toDate }],
		['continueRegularOutput', undefined, { name: 'B', toDate: aDay.toDate }],
		['continueRegularOutput', 'responseOnly', {}],
		// n8n adds the input item itself.
		['continueErrorOutput', 'sentFields', { name: 'B', day: 'soon' }],
	] as const)('%s, %s', async (onError, include, added) => {
		const { json, errorItems } = await createSchedules(sandbox.credentials(), {
			items,
			parameters: { fields: { ...aDay, name: '={{ $json.name }}', fromDate: '={{ $json.day }}' } },
			options: { ...(include && { include }) },
			nodeSettings: { onError },
		});
		const failed = [...json, ...errorItems.map((item) => item.json)].at(-1)!;
		const { message, error, ...others } = failed;
		expect(others).toEqual(added);
		expect([message, error]).toEqual([
			expect.stringMatching(/^'From Date' is "soon"/),
			expect.objectContaining({ code: 'invalidValues', row: 2 }),
		]);
	});
});

describe('the code', () => {
	useVirtualTime({ skipsPauses: true });
	const sandbox = useSandbox({ each: 'test' });

	const failing = async (changes: ICredentialDataDecryptedObject, more: CreateOptions = {}) => {
		const { json } = await createSchedules(sandbox.credentials(changes), {
			items: namedRows(2),
			...more,
			nodeSettings: { ...continueOnFail, ...more.nodeSettings },
		});
		return json.map((item) => errorOf(item)?.code);
	};

	test.each([
		['an address that is not allowed', { baseUrl: 'ftp://records.example' }],
		['a setting that the form does not offer', { pageSize: 0 }],
	])('a credential with %s cannot be used', async (_, changes) => {
		expect(await failing(changes)).toEqual(['credentialUnusable', 'credentialUnusable']);
		expect(sandbox.exchanges).toEqual([]);
	});

	test('an expression that cannot be evaluated has the code for invalid values', async () => {
		const name = "={{ $itemIndex === 1 ? $('Nowhere').item.json.name : 'A' }}";
		const codes = await failing({}, { parameters: { fields: { ...aDay, name } } });
		expect(codes).toEqual([undefined, 'invalidValues']);
	});

	test('a retry of a run whose sign-in was refused has the same code', async () => {
		const nodeSettings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const codes = await failing({ password: 'wrong' }, { nodeSettings });
		expect(codes).toEqual(['signInRefused', 'signInRefused']);
	});
});
