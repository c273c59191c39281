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
		['several pages', 130, 3, 6],
		['two pages, from one of which a row may slip to the other', 75, 2, 4],
	])('%s are read again only when a row is missing, to be sure', async (_, length, once, twice) => {
		for (const { id } of sandbox.records.list('vendor').rows.slice(length)) remove(id);
		const trigger = await started({}, 50);
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
			[other, false],
			[{ ...other, clientId: 'public-app', clientSecret: '' }, false],
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

	const startedHere = async (resource = 'vendor', parameters: INodeParameters = {}) =>
		await new Trigger(
			{ resource, ...parameters },
			credentialsFor(service.url, withPageSize(1000)),
		).activate();
	const counts = (items: IDataObject[]) =>
		['added', 'changed', 'removed'].map(
			(kind) => items.filter(({ changeType }) => changeType === kind).length,
		);

	test.each([
		[403, /./],
		[429, /next poll finds all that changed/],
	])('with status %i: the error names no item that could be run again', async (code, advice) => {
		const trigger = await startedHere('vendor', { options: { maxTries: 1 } });
		status = code;
		expect(await trigger.poll()).toEqual([]);
		const [error] = trigger.errors;
		expect(error?.description).toMatch(advice);
		expect(error?.description).not.toMatch(/item/);
	});

	/** Lets time pass on both clocks: else each poll would seem to sign in right after the last one. */
	let pass: (minutes: number) => void;
	beforeEach(() => {
		let ahead = 0;
		pass = (minutes) => (ahead += minutes * 60_000);
		for (const clock of [Date, performance]) {
			const now = clock.now.bind(clock);
			jest.spyOn(clock, 'now').mockImplementation(() => now() + ahead);
		}
	});
	afterEach(() => void jest.restoreAllMocks());
	/** Polls every 15 minutes. */
	const pollTimes = async (trigger: Trigger, times: number): Promise<IDataObject[]> => {
		const items: IDataObject[] = [];
		for (let poll = 0; poll < times; poll++) {
			pass(15);
			items.push(...(await trigger.poll()));
		}
		return items;
	};

	test.each(['{}', '', '{"totalRows":0,"vendors":[]}'])(
		'%j comes in three polls: nothing; in a fourth too: they are removed',
		async (body) => {
			const trigger = await startedHere();
			instead = body;
			expect(await pollTimes(trigger, 3)).toEqual([]);
			expect(counts(await pollTimes(trigger, 1))).toEqual([0, 0, 120]);
			expect(trigger.errors).toEqual([]);
		},
	);

	test('removed rows that do not fit into one execution come with the next poll, not half an hour later', async () => {
		const trigger = await startedHere('vendor', { options: { maxItems: 80 } });
		instead = '';
		expect(await pollTimes(trigger, 3)).toEqual([]);
		expect(counts(await pollTimes(trigger, 1))).toEqual([0, 0, 80]);
		expect(counts(await trigger.poll())).toEqual([0, 0, 40]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('many polls of an empty list within half an hour: nothing', async () => {
		const trigger = await startedHere();
		instead = '';
		for (let minute = 0; minute < 30; minute += 5) {
			expect(await trigger.poll()).toEqual([]);
			pass(5);
		}
		expect(counts(await trigger.poll())).toEqual([0, 0, 120]);
	});

	test('an empty list, and nobody wants to know what was removed: no row is added when it is back', async () => {
		const trigger = await startedHere('vendor', { triggerOn: ['added'] });
		instead = '';
		expect(await pollTimes(trigger, 3)).toEqual([]);
		instead = undefined;
		expect(await pollTimes(trigger, 1)).toEqual([]);
	});

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

	test('a shortened list: those that are back within that time were never gone', async () => {
		const trigger = await startedHere();
		names = ['row 200', 'row 3 new', ...names.slice(40)];
		const warn = jest.spyOn(n8nLogger(), 'warn');
		expect(counts(await trigger.poll())).toEqual([1, 1, 0]);
		expect(await pollTimes(trigger, 1)).toEqual([]);
		expect(warn.mock.calls).toEqual([
			[
				'Node: 39 rows missing from its list, counted as removed if missing for 3 more polls and 30 minutes',
				{ workflowId: expect.any(String) },
			],
		]);
		names = ['row 7', 'row 8', ...names.slice(0, -1)];
		// The last row is missing too now, while many others are.
		expect(await pollTimes(trigger, 1)).toEqual([]);
		const removed = (await pollTimes(trigger, 1)).map((item) => item.departmentBusinessID);
		expect(removed).toHaveLength(37);
		expect(removed).not.toContain(7);
		expect(told(await pollTimes(trigger, 2))).toEqual([['removed', 119]]);
		expect(await pollTimes(trigger, 1)).toEqual([]);
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
		expect(await pollTimes(trigger, 3)).toEqual([]);
		expect(counts(await pollTimes(trigger, 1))).toEqual([0, 0, few + 1]);
	});
});

describe('more than one execution takes', () => {
	/** By ID. */
	let rows: Map<number, IDataObject>;
	let trigger: Trigger;
	const startedWith = async (length: number, parameters: INodeParameters) => {
		rows = new Map(Array.from({ length }, (_, id) => [id, { departmentBusinessID: id }]));
		const service = await startFakeService((_request, response) => {
			const vendors = [...rows.values()];
			response.end(JSON.stringify({ totalRows: vendors.length, vendors }));
		});
		const credential = credentialsFor(service.url, withPageSize(10_000));
		trigger = await new Trigger({ resource: 'vendor', ...parameters }, credential).activate();
	};

	test('too many characters for one execution: the rest follow, and what is saved has a bound', async () => {
		await startedWith(0, { output: 'raw' });
		const notes = 'x'.repeat(30_000);
		for (let id = 0; id < 500; id++) rows.set(id, { departmentBusinessID: id, notes });
		const items: IDataObject[] = [];
		for (let poll = 0; poll < 2; poll++) {
			items.push(...(await trigger.poll()));
			expect(JSON.stringify(trigger.saved).length).toBeLessThan(11_000_000);
		}
		expect(items.map(({ departmentBusinessID: id }) => id)).toEqual([...rows.keys()]);
		expect(trigger.executions).toHaveLength(2);
	});

	test('one row alone may be larger than that', async () => {
		await startedWith(0, { output: 'raw' });
		const notes = 'x'.repeat(11_000_000);
		for (const id of [0, 1]) rows.set(id, { departmentBusinessID: id, notes });
		for (const id of [0, 1]) expect(told(await trigger.poll())).toEqual([['added', id]]);
		expect(await trigger.poll()).toEqual([]);
	});
});

test('changes alone of rows without an ID never come: it is said before the trigger starts', async () => {
	await expect(started({ resource: 'deviceCode', triggerOn: ['changed'] })).rejects.toThrow(
		"Rows of this list have no ID, so 'Row Changed' never happens",
	);
});

describe('restarts', () => {
	test('n8n starts while the service refuses: the trigger stays active, shows the failure, and misses nothing', async () => {
		const trigger = await started();
		const id = add('New');
		sandbox.faults.set([{ fault: 'refuse', operation: 'listVendors', status: 403, times: 1 }]);
		expect(await trigger.restart()).toEqual([]);
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringContaining('status 403'),
		]);
		expect(told(await trigger.poll())).toEqual([['added', id, 'New']]);
	});

	test('a person publishes it while the service refuses: it is said at once', async () => {
		sandbox.faults.set([{ fault: 'refuse', operation: 'listVendors', status: 403, times: 1 }]);
		await expect(started()).rejects.toThrow('status 403');
	});
});

describe('a list that is read in pages', () => {
	let ids: number[];
	/** By URL: what comes instead of the page. */
	let cache: Map<string, string>;
	let isCaching: boolean;
	let onPage: (url: string) => unknown;
	let cacheControl: Set<string | undefined>;
	let trigger: Trigger;
	beforeEach(async () => {
		ids = Array.from({ length: 40 }, (_, id) => id);
		cache = new Map();
		isCaching = false;
		onPage = () => {};
		cacheControl = new Set();
		const service = await startFakeService(async (request, response) => {
			const url = request.url!;
			await onPage(url);
			cacheControl.add(request.headers['cache-control']);
			const query = new URL(url, 'http://service').searchParams;
			const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
			const rows = ids.slice(offset, offset + limit);
			const vendors = rows.map((departmentBusinessID) => ({ departmentBusinessID }));
			const page = JSON.stringify({ totalRows: ids.length, vendors });
			const sent = (isCaching && cache.get(url)) || page;
			cache.set(url, sent);
			response.end(sent);
		});
		const credential = credentialsFor(service.url, withPageSize(20));
		trigger = await new Trigger({ resource: 'vendor' }, credential).activate();
	});

	test('of two polls at once one reads, also if a person fetches a test event meanwhile', async () => {
		ids = [...ids, 100];
		let meanwhile: Promise<object> | undefined;
		// Only the first page is kept waiting: the others are those of what happens meanwhile.
		onPage = () => {
			if (meanwhile) return undefined;
			meanwhile = trigger.test().then(async (shown) => [shown.length, await trigger.poll()]);
			return meanwhile;
		};
		expect(told(await trigger.poll())).toEqual([['added', 100]]);
		expect(await meanwhile).toEqual([3, []]);
	});

	test('rows that were missed with many others are not removed as soon as few are missing', async () => {
		const all = ids;
		for (const missing of [20, 5]) {
			ids = all.slice(missing);
			expect(await trigger.poll()).toEqual([]);
		}
		expect(trigger.errors).toEqual([]);
	});

	test('two readings with the same repeated row prove nothing', async () => {
		onPage = (url) => {
			if (url.includes('offset')) ids = [Math.max(...ids) + 1, ...ids];
			else ids = ids.filter((id) => id < 40);
		};
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(/changed each of the 3 times/),
		]);
	});

	test.each([1, 2])(
		'of two equal readings neither may have changed while it was read: not the %d.',
		async (changing) => {
			const all = ids;
			const others = all.filter((id) => id !== 5);
			let readings = 0;
			onPage = (url) => {
				const isFirst = !url.includes('offset');
				if (isFirst) readings++;
				if (readings > 2) ids = all;
				else ids = isFirst && readings === changing ? [...others, 200] : others;
			};
			expect(await trigger.poll()).toEqual([]);
			expect([readings, trigger.errors]).toEqual([3, []]);
		},
	);

	test('a cache has an old first page: a row that moved to it is not told as removed', async () => {
		for (const url of cache.keys()) if (url.includes('offset')) cache.delete(url);
		isCaching = true;
		ids = [...ids.filter((id) => id !== 3), 40];
		const items = await trigger.poll();
		isCaching = false;
		items.push(...(await trigger.poll()));
		expect(told(items).sort()).toEqual([
			['added', 40],
			['removed', 3],
		]);
		expect(cacheControl).toEqual(new Set(['no-cache']));
	});
});

describe('a list that no documentation shows', () => {
	let incidents: IDataObject[];
	let paths: readonly string[];
	let newIncidents: (parameters?: INodeParameters) => Trigger;
	beforeEach(async () => {
		incidents = [1, 2, 3].map((id) => ({
			incidentID: `${id}`,
			rowVersion: `v${id}`,
			status: 'open',
		}));
		const service = await startFakeService((_request, response) => {
			const rows = incidents.map((incident, at) => ({ rowNum: `${at + 1}`, ...incident }));
			response.end(JSON.stringify({ totalRows: `${rows.length}`, incidents: rows }));
		});
		({ paths } = service);
		const parameters = {
			resource: 'otherList',
			path: '/agencyincidents/incidents',
			rowsKey: 'incidents',
			idField: 'incidentID',
		};
		newIncidents = (others = {}) =>
			new Trigger({ ...parameters, ...others }, credentialsFor(service.url));
	});
	const toldOf = (items: IDataObject[]) =>
		items.map(({ changeType, incidentID, changedFields }) => [
			changeType,
			incidentID,
			changedFields,
		]);

	test('is watched by its path: what was added, changed and removed', async () => {
		const trigger = await newIncidents().activate();
		expect(paths.at(-1)).toMatch(/^\/agencyincidents\/incidents\?limit=/);
		incidents = [{ ...incidents[0], status: 'closed' }, incidents[1]!, { incidentID: '4' }];
		expect(toldOf(await trigger.poll())).toEqual([
			['changed', '1', undefined],
			['added', '4', undefined],
			['removed', '3', undefined],
		]);
		expect(toldOf(await trigger.restart())).toHaveLength(3);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.errors).toEqual([]);
	});

	test('only when named fields change', async () => {
		const trigger = await newIncidents({ onlyFields: ['status'] }).activate();
		incidents = [
			{ ...incidents[0], status: 'closed' },
			{ ...incidents[1], unit: 'E1' },
			incidents[2]!,
		];
		expect(toldOf(await trigger.poll())).toEqual([['changed', '1', ['status']]]);
	});

	test('a named field that no row has any more has changed, and may come back', async () => {
		const trigger = await newIncidents({ onlyFields: ['status'] }).activate();
		const before = incidents;
		incidents = before.map(({ status, ...others }) => others);
		const changed = before.map(({ incidentID }) => ['changed', incidentID, ['status']]);
		expect(toldOf(await trigger.poll())).toEqual(changed);
		expect(await trigger.poll()).toEqual([]);
		incidents = before;
		expect(toldOf(await trigger.poll())).toEqual(changed);
		expect(trigger.errors).toEqual([]);
	});

	test('a test event shows a few rows, which may lack a named field', async () => {
		const [first, ...others] = incidents;
		incidents = [...others, ...others, { ...first, incidentID: '9', lastUnit: 'E1' }];
		expect(await newIncidents({ onlyFields: ['lastUnit'] }).test()).toHaveLength(3);
	});

	test.each([
		['path', '/agencyincidents/incidents?year=2026'],
		['idField', 'status'],
	])('another %s makes it begin anew', async (name, value) => {
		const trigger = await newIncidents().activate();
		incidents = incidents.slice(1);
		await trigger.activate({
			resource: 'otherList',
			path: '/agencyincidents/incidents',
			rowsKey: 'incidents',
			idField: 'incidentID',
			[name]: value,
		});
		expect(trigger.executions).toEqual([]);
	});

	test.each<[INodeParameters, RegExp, string?]>([
		[{ idField: 'incidentId' }, /No row of the list has the field 'incidentId'/],
		[{ onlyFields: ['Status'] }, /No row of the list has the field 'Status'/],
		[
			{ rowsKey: 'incident' },
			/the list 'incident'/,
			"Check 'Path' and 'List Field'. The response has the lists: incidents.",
		],
		[{ path: '' }, /'Path' is required/],
		[{ idField: '' }, /'ID Field' is required/],
	])('%j: the error says so when the trigger is activated', async (wrong, message, advice = '') => {
		const activated = newIncidents(wrong).activate();
		await expect(activated).rejects.toThrow(message);
		if (advice) await expect(activated).rejects.toMatchObject({ description: advice });
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
