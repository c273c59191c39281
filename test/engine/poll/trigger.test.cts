// The trigger through n8n's own poll executor, against the sandbox: what it gives, once.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { users, type User } from '../../../sandbox/accounts.mts';
import { addRecord, removeRecord } from '../../../sandbox/recordEdits.mts';
import { n8nLogger } from '../../harness/n8nLogger.cts';
import { Trigger } from '../../harness/polling.cts';
import { changeRecord } from '../../harness/records.cts';
import { startFakeService, type FakeService } from '../../harness/server.cts';
import { credentialsFor, withPageSize } from '../../harness/useSandbox.cts';
import { told, useVendorTrigger } from './vendorTrigger.cts';

const { sandbox, credentials, newTrigger, started, change, add, remove } = useVendorTrigger();

describe('what changed since the last poll', () => {
	test('gives what was added, changed and removed, once', async () => {
		const trigger = await started();
		expect(await trigger.poll()).toEqual([]);
		change(101, 'Changed');
		const id = add('New');
		remove(102);
		expect(told(await trigger.poll())).toEqual([
			['changed', 101, 'Changed'],
			['added', id, 'New'],
			['removed', 102],
		]);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(1);
	});

	test('a record that was written without a change is none', async () => {
		const trigger = await started();
		changeRecord(sandbox, 'vendor', 101, {});
		expect(await trigger.poll()).toEqual([]);
	});

	test.each([['added'], ['changed'], ['removed']])('only %s', async (kind) => {
		const trigger = await started({ triggerOn: [kind] });
		change(101, 'Changed');
		add('New');
		remove(102);
		expect(told(await trigger.poll()).map(([one]) => one)).toEqual([kind]);
		expect(await trigger.poll()).toEqual([]);
	});

	const listRequests = () =>
		sandbox.exchanges.filter(({ operation }) => operation === 'listVendors').length;

	test.each([
		['several pages', 500, 3, 6],
		['two pages, from one of which a row may slip to the other', 300, 2, 4],
	])('%s are read again only when a row is missing, to be sure', async (_, length, once, twice) => {
		for (const { id } of sandbox.records.list('vendor').rows.slice(length)) remove(id);
		const trigger = await started({}, 200);
		sandbox.exchanges.length = 0;
		change(101, 'Changed');
		expect(await trigger.poll()).toHaveLength(1);
		expect(listRequests()).toBe(once);
		sandbox.exchanges.length = 0;
		remove(102);
		expect(await trigger.poll()).toHaveLength(1);
		expect(listRequests()).toBe(twice);
	});

	test('only when chosen fields change, which are named', async () => {
		const trigger = await started({ onlyFields: ['name', 'fax'] });
		changeRecord(sandbox, 'vendor', 101, { phone: '555-0199' });
		expect(await trigger.poll()).toEqual([]);
		changeRecord(sandbox, 'vendor', 101, { fax: '555-0101', phone: '555-0102' });
		changeRecord(sandbox, 'vendor', 102, { name: 'Changed', fax: '555-0103' });
		expect(await trigger.poll()).toMatchObject([
			{ changeType: 'changed', changedFields: ['fax'], phone: '555-0102' },
			{ changeType: 'changed', changedFields: ['name', 'fax'], name: 'Changed' },
		]);
		const id = add('New');
		expect(told(await trigger.poll())).toEqual([['added', id, 'New']]);
		const { length } = sandbox.records.list('vendor').rows;
		expect(JSON.stringify(trigger.saved).length / length).toBeLessThan(30);
	});

	test('device codes have no ID: another content is another row, and equal rows are counted', async () => {
		const code = { Element: 'dDevice.02', Code: 1, Description: 'Pads' };
		addRecord(sandbox.records, 'deviceCode', code);
		const rowNum = sandbox.records.list('deviceCode').rows.length;
		const trigger = await started({ resource: 'deviceCode' });
		const second = addRecord(sandbox.records, 'deviceCode', code);
		expect(await trigger.poll()).toEqual([{ changeType: 'added', rowNum: rowNum + 1, ...code }]);
		removeRecord(sandbox.records, 'deviceCode', second);
		expect(await trigger.poll()).toEqual([{ changeType: 'removed', ...code }]);
		changeRecord(sandbox, 'deviceCode', second - 1, { Description: 'Pads, large' });
		expect(await trigger.poll()).toEqual([
			{ changeType: 'added', rowNum, ...code, Description: 'Pads, large' },
			{ changeType: 'removed', ...code },
		]);
	});

	test('Selected Fields: of a removed row its ID', async () => {
		const selected = await started({ output: 'selected', outputFields: ['name'] });
		change(101, 'Changed');
		remove(102);
		expect(await selected.poll()).toEqual([
			{ changeType: 'changed', name: 'Changed' },
			{ changeType: 'removed', departmentBusinessID: 102 },
		]);
	});
});

describe('where it starts', () => {
	test.each<[string, INodeParameters]>([
		['the list', { resource: 'deviceCode' }],
		['the filter', { filters: { filter: 'city ne "Springfield"' } }],
		['archived rows', { filters: { showArchived: true } }],
		['the fields that count', { onlyFields: ['name', 'fax'] }],
	])('%s that changes makes it begin anew, and floods nothing', async (_, changed) => {
		const trigger = await started();
		change(101, 'Before');
		await trigger.activate({ resource: 'vendor', ...changed });
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.executions).toEqual([]);
	});

	test('another account begins anew; the same one in another spelling, or with a new password, does not', async () => {
		const store = sandbox.credentials({ grantType: 'authorizationCode' });
		const trigger = await new Trigger({ resource: 'vendor' }, store).activate();
		const account = store.read('account');
		const [, other] = users as [User, User];
		const password = sandbox.accounts.changeSecret('password');
		const baseUrl = `${sandbox.url.replace('http', 'HTTP')}/`;
		for (const [changes, isSame] of [
			[{ password, baseUrl }, true],
			[{ password }, true],
			[{ password, clientId: 'public-app', clientSecret: '' }, false],
			[other, false],
		] as const) {
			store.rows.set('account', { ...account, accessToken: '', ...changes });
			const name = JSON.stringify(changes);
			change(101, name);
			expect(told(await trigger.poll())).toEqual(isSame ? [['changed', 101, name]] : []);
		}
		expect(trigger.errors).toEqual([]);
	});

	test('what only changes how items look goes on where it was', async () => {
		const trigger = await started();
		change(101, 'Changed');
		await trigger.activate({ resource: 'vendor', output: 'raw', options: { timeout: 50 } });
		expect(told(trigger.executions.flat())).toEqual([['changed', 101, 'Changed']]);
	});
});

describe('a service in trouble', () => {
	let names: string[];
	let service: FakeService;
	/** What comes instead of the rows. */
	let instead: string | undefined;
	let status: number;
	beforeEach(async () => {
		names = Array.from({ length: 120 }, (_, n) => `row ${n}`);
		instead = undefined;
		status = 200;
		service = await startFakeService((_request, response) => {
			if (instead !== undefined) return response.writeHead(instead ? 200 : 204).end(instead);
			const vendors = names.map((name) => ({
				departmentBusinessID: Number(name.split(' ')[1]),
				name,
			}));
			response.writeHead(status).end(JSON.stringify({ totalRows: vendors.length, vendors }));
		});
	});

	const startedHere = async (resource = 'vendor') =>
		await new Trigger({ resource }, credentialsFor(service.url, withPageSize(1000))).activate();
	const counts = (items: IDataObject[]) =>
		['added', 'changed', 'removed'].map(
			(kind) => items.filter(({ changeType }) => changeType === kind).length,
		);

	test.each([
		[403, /./],
		[429, /next poll finds all that changed/],
	])('with status %i: the error names no item that could be run again', async (code, advice) => {
		const trigger = await startedHere();
		status = code;
		expect(await trigger.poll()).toEqual([]);
		const [error] = trigger.errors;
		expect(error?.description).toMatch(advice);
		expect(error?.description).not.toMatch(/item/);
	});

	test.each(['{}', '', '{"totalRows":0,"vendors":[]}'])(
		'of 8, %j comes once: nothing; twice: they are removed',
		async (body) => {
			names = names.slice(0, 8);
			const trigger = await startedHere();
			instead = body;
			expect(await trigger.poll()).toEqual([]);
			instead = undefined;
			expect(await trigger.poll()).toEqual([]);
			instead = body;
			expect(await trigger.poll()).toEqual([]);
			expect(counts(await trigger.poll())).toEqual([0, 0, 8]);
			expect(trigger.errors).toEqual([]);
		},
	);

	test('other query parameters may give another list, so it begins anew', async () => {
		const trigger = await startedHere();
		names = names.slice(1);
		const options = { additionalFields: '{"agencyID":12}' };
		await trigger.activate({ resource: 'vendor', options });
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.executions).toEqual([]);
	});

	test('a count with fewer rows, and no documented way to the others, is not watched', async () => {
		instead =
			'{"totalRows":230,"infrastructures":[{"InfrastructureID":1,"Infrastructure":"Airport"}]}';
		await expect(startedHere('infrastructureCategory')).rejects.toThrow(
			/counts 230 rows, but sent only 1: such a list cannot be watched/,
		);
	});

	test('are removed when the next poll misses them too; those that are back are not', async () => {
		const trigger = await startedHere();
		names = ['row 200', 'row 3 new', ...names.slice(40)];
		const warn = jest.spyOn(n8nLogger(), 'warn');
		expect(counts(await trigger.poll())).toEqual([1, 1, 0]);
		expect(warn.mock.calls).toEqual([
			[
				'Node: 39 rows missing from its list, counted as removed if the next poll misses them too',
				{ workflowId: expect.any(String) },
			],
		]);
		names = ['row 7', 'row 8', ...names.slice(0, -1)];
		const items = await trigger.poll();
		expect(counts(items)).toEqual([0, 0, 38]);
		const removed = items.map((item) => item.departmentBusinessID);
		expect(removed).not.toContain(7);
		expect(removed).toContain(119);
		expect(await trigger.poll()).toEqual([]);
	});

	test.each([
		[60, 10],
		[300, 30],
	])('of %i, up to %i are removed at once, and one more is not', async (length, few) => {
		names = Array.from({ length }, (_, n) => `row ${n}`);
		const trigger = await startedHere();
		names = names.slice(few);
		expect(counts(await trigger.poll())).toEqual([0, 0, few]);
		names = names.slice(few + 1);
		expect(await trigger.poll()).toEqual([]);
		expect(counts(await trigger.poll())).toEqual([0, 0, few + 1]);
	});
});

test('a filter with $now is the same filter in each poll', async () => {
	const trigger = await started({ filters: { filter: '=city ne "{{ $now.toISO() }}"' } });
	change(101, 'Changed');
	expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
	await trigger.restart();
	change(102, 'Changed too');
	expect(told(await trigger.poll())).toEqual([['changed', 102, 'Changed too']]);
	expect(trigger.errors).toEqual([]);
});

describe('a test event', () => {
	test('shows a few rows, and moves nothing', async () => {
		const trigger = await started();
		change(101, 'Changed');
		const shown = told(await trigger.test());
		expect(shown.map(([kind, id]) => [kind, id])).toEqual(
			[101, 102, 103].map((id) => ['added', id]),
		);
		expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
	});

	test.each([['added'], ['changed'], ['removed']])(
		'with %s alone: each item says that it is a sample',
		async (kind) => {
			const items = await newTrigger({ triggerOn: [kind] }).test();
			expect(items).toHaveLength(3);
			for (const item of items) {
				expect(Object.keys(item).slice(0, 2)).toEqual(['changeType', 'sample']);
				expect(item.sample).toContain('nothing has changed');
			}
		},
	);

	test('of an empty list says so', async () => {
		const filters = { filter: 'name eq "nobody"' };
		await expect(newTrigger({ filters }).test()).rejects.toThrow(/no rows to show/);
	});
});

test('with an error output, a poll that fails gives an item of the shape that n8n moves there', async () => {
	const trigger = newTrigger();
	trigger.onError = 'continueErrorOutput';
	await trigger.activate();
	change(101, 'Changed');
	sandbox.faults.set([{ fault: 'refuse', operation: 'listVendors', status: 403, times: 1 }]);
	const [item, ...others] = await trigger.poll();
	expect(Object.keys(item!)).toEqual(['message', 'error']);
	expect(item).toMatchObject({
		message: expect.stringContaining('status 403'),
		error: { code: 'notPermitted' },
	});
	expect(others).toEqual([]);
	expect(trigger.errors).toEqual([]);
	expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
});

test('secrets are in no error and in nothing that is saved', async () => {
	const trigger = await started({ options: { maxTries: 1 } });
	change(101, 'Changed');
	await trigger.poll();
	sandbox.faults.set([{ fault: 'echo' }]);
	await trigger.poll();
	const account = credentials().read('account') as Record<string, string>;
	const { apiKey, clientSecret, password } = account;
	const service = await startFakeService((_request, response) =>
		response.end(JSON.stringify({ success: false, errors: `No: ${apiKey} ${password}` })),
	);
	const refused = new Trigger({ resource: 'vendor' }, credentialsFor(service.url));
	const said = await refused.activate().catch((error: Error & { description?: string }) => error);
	const texts = [...trigger.errors, said as Error & { description?: string }]
		.flatMap(({ message, description }) => [message, description])
		.concat(JSON.stringify(trigger.saved))
		.join();
	expect(texts).toContain('No: ');
	for (const secret of [apiKey, clientSecret, password]) {
		expect(secret).toBeTruthy();
		expect(texts).not.toContain(secret);
	}
});
