// The selected rows of a list and their output: filters, empty lists, the shape of the output.
import type { INodeType } from 'n8n-workflow';

import { AgencyCriticalInfrastructure } from '../../../../nodes/AgencyCriticalInfrastructure/AgencyCriticalInfrastructure.node';
import { AgencyVendors } from '../../../../nodes/AgencyVendors/AgencyVendors.node';
import { runNode } from '../../../harness/run.cts';
import { startFakeService } from '../../../harness/server.cts';
import { credentialsFor, useSandbox } from '../../../harness/useSandbox.cts';

const sandbox = useSandbox();
const { exchanges } = sandbox;

const list = (given: object, url = sandbox.url, node: INodeType = new AgencyVendors()) =>
	runNode({ node, parameters: { returnAll: true, ...given }, credentials: credentialsFor(url) });

test.each([
	['changesSince', '={{ DateTime.fromISO("2020-01-01T02:00-05:00") }}', '2020-01-01T07:00:00.000Z'],
	['changesSince', '2020-01-01T07:00:00.1234567Z', '2020-01-01T07:00:00.123Z'],
	// As the date picker gives it, in the time zone of the workflow.
	['changesSince', '2020-01-01T00:00:00', '2020-01-01T05:00:00.000Z'],
	['filter', 'state eq "CA", zip gt 30000', 'state eq "CA", zip gt 30000'],
	['rowVersion', 'AAE=', 'AAE='],
	['showArchived', true, 'true'],
	['showArchived', false, 'false'],
	['showArchived', '={{ "true" }}', 'true'],
])('%s %s is sent as %s', async (name, given, expected) => {
	await list({ filters: { [name]: given } });
	const { searchParams } = new URL(sandbox.requests('listVendors')[0]!.url, 'http://x');
	expect(Object.fromEntries(searchParams)).toEqual({ [name]: expected, limit: '100' });
});

test.each<[object, RegExp]>([
	[{ filter: '' }, /^'Filter' is empty: give a value, or remove it/],
	[{ filter: '={{ undefined }}' }, /^'Filter' is empty: give a value, or remove it/],
	[{ changesSince: '={{ undefined }}' }, /^'Changes Since' is empty: give a value, or remove it/],
	[{ changesSince: '2026-02-30' }, /'Changes Since' .*, but must be a date and time that exists/],
])('%j is refused', async (filters, message) => {
	const { error } = await list({ filters });
	expect(error?.message).toMatch(message);
	expect(exchanges).toEqual([]);
});

test.each([
	[{ filter: 'zip lt 20000' }, 400, /how a filter is written/],
	[{}, 400, /^Correct the values/],
	[{ filter: 'zip lt 20000' }, 403, /allow/],
])('with %j refused (%d), the advice says what to do', async (filters, status, advice) => {
	const service = await startFakeService((_request, response) => {
		response.statusCode = status;
		response.end(JSON.stringify({ errors: { validationErrors: [{ field: 'x', message: 'no' }] } }));
	});
	const { error } = await list({ filters }, service.url);
	expect(error?.description).toMatch(advice);
});

test.each([
	{ filters: { filter: 'city eq "Nowhere"' } },
	{ filters: { changesSince: '2100-01-01T00:00:00Z' } },
	{ options: { offset: 100_000 } },
])('a hint says that %j gives no rows', async (parameters) => {
	const { json, hints } = await list(parameters);
	expect([json, hints]).toEqual([[], [expect.stringMatching(/^The service has no rows/)]]);
});

test.each([
	[{ limit: 2 }, /^2 of [\d,]+ rows: 'Limit'\.$/],
	[{ limit: 2, filters: { filter: 'departmentBusinessID lt 104' } }, /^2 of 3 rows: 'Limit'\.$/],
])('a hint says how many rows %j leaves out', async (parameters, hint) => {
	const { json, hints } = await list({ returnAll: false, ...parameters });
	expect([json.length, hints]).toEqual([2, [expect.stringMatching(hint)]]);
});

test('no hint is given for a limit that leaves no rows out', async () => {
	const filters = { filter: 'departmentBusinessID lt 104' };
	for (const limit of [3, 4])
		expect((await list({ returnAll: false, limit, filters })).hints).toEqual([]);
});

describe('the output of a row', () => {
	const first = () => {
		const { id, data, rowVersion } = sandbox.records.list('vendor').rows[0]!;
		return { rowNum: 1, departmentBusinessID: id, ...data, archive: '0', rowVersion };
	};
	const row = async (parameters: object) => {
		const { json, error } = await list({ returnAll: false, limit: 1, ...parameters });
		return error?.message ?? json[0];
	};

	test('has the ten most useful fields by default', async () => {
		const simplified = (await row({})) as object;
		expect(first()).toMatchObject(simplified);
		expect(Object.keys(simplified)).toHaveLength(10);
		expect(Object.keys(simplified)[0]).toBe('departmentBusinessID');
	});

	test('has all fields if there are few', async () => {
		const { json } = await list({}, sandbox.url, new AgencyCriticalInfrastructure());
		expect(json[0]).toMatchObject({ rowNum: 1, InfrastructureID: expect.any(Number) as number });
	});

	test('has all fields of the raw data', async () => {
		expect(await row({ output: 'raw' })).toEqual(first());
	});

	test('has the selected fields', async () => {
		const { name, rowVersion } = first() as { name?: string; rowVersion: string };
		const outputFields = ['name', 'rowVersion'];
		expect(await row({ output: 'selected', outputFields })).toEqual({ name, rowVersion });
		expect(await row({ output: 'selected', outputFields: '={{ ["name"] }}' })).toEqual({ name });
	});

	test.each([
		['={{ ["name", "color"] }}', /'Fields to Return' is \["name","color"\], but must be some of/],
		['={{ undefined }}', /'Fields to Return' is required but empty/],
	])('%s is refused', async (outputFields, message) => {
		expect(await row({ output: 'selected', outputFields })).toMatch(message);
		expect(exchanges).toEqual([]);
	});
});
