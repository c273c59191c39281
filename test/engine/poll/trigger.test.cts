// The trigger through n8n's own poll executor, against the sandbox: it delivers each change once.
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

describe('a poll', () => {
	test('reports added, changed and removed rows once', async () => {
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

	test('ignores a record that was saved without a change', async () => {
		const trigger = await started();
		changeRecord(sandbox, 'vendor', 101, {});
		expect(await trigger.poll()).toEqual([]);
	});

	test.each(['added', 'changed', 'removed'])('reports only %s rows', async (kind) => {
		const trigger = await started({ triggerOn: [kind] });
		change(101, 'Changed');
		add('New');
		remove(102);
		expect(told(await trigger.poll()).map(([one]) => one)).toEqual([kind]);
		expect(await trigger.poll()).toEqual([]);
	});

	const listRequests = () => sandbox.requests('listVendors').length;

	test.each([
		['several pages', 130, 3, 6],
		['two pages, from one of which a row may slip to the other', 75, 2, 4],
	])('reads %s again only if a row is missing', async (_, length, once, twice) => {
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

	test('reports only changes of the chosen fields, and names them', async () => {
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
		expect(JSON.stringify(trigger.saved).length / length).toBeLessThan(60);
	});

	test('tells rows without an ID apart by their content, and counts equal ones', async () => {
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

	test('with Selected Fields, gives the ID of a removed row', async () => {
		const selected = await started({ output: 'selected', outputFields: ['name'] });
		change(101, 'Changed');
		remove(102);
		expect(await selected.poll()).toEqual([
			{ changeType: 'changed', name: 'Changed' },
			{ changeType: 'removed', departmentBusinessID: 102 },
		]);
	});
});

describe('a renamed trigger', () => {
	test('goes on where it was, whatever it was called before', async () => {
		const trigger = await started();
		change(101, 'First');
		expect(await trigger.poll()).toHaveLength(1);
		const id = add('Between');
		trigger.node = { name: 'Renamed' };
		await trigger.activate();
		expect(told(trigger.executions.at(-1)!)).toEqual([['added', id, 'Between']]);
		change(101, 'Second');
		expect(told(await trigger.poll())).toEqual([['changed', 101, 'Second']]);
		// The state under the old name is still there.
		trigger.node = {};
		await trigger.activate();
		expect(await trigger.poll()).toEqual([]);
		change(102, 'Third');
		expect(told(await trigger.poll())).toEqual([['changed', 102, 'Third']]);
		expect(trigger.executions).toHaveLength(4);
	});

	test('goes on if n8n was restarted, too', async () => {
		const trigger = await started();
		change(101, 'First');
		await trigger.poll();
		expect(await trigger.restart()).toMatchObject([{ repeated: true }]);
		const id = add('Between');
		trigger.node = { name: 'Renamed' };
		expect(told(await trigger.restart())).toEqual([['added', id, 'Between']]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('starts over if its list was changed, too, and the log says so', async () => {
		const trigger = await started();
		const warn = jest.spyOn(n8nLogger(), 'warn');
		trigger.node = { name: 'Renamed' };
		await trigger.activate({ resource: 'deviceCode' });
		expect(trigger.executions).toEqual([]);
		expect(JSON.stringify(warn.mock.calls)).toContain('only changes from now on are returned');
		jest.restoreAllMocks();
	});

	test('has nothing to do with a copy of it, or with another one that takes its name', async () => {
		const trigger = await started();
		change(101, 'First');
		await trigger.poll();
		add('Between');
		trigger.node = { id: 'copy', name: 'Copy' };
		await trigger.activate();
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.executions).toHaveLength(1);
	});
});

describe('an activation', () => {
	test.each<[string, INodeParameters]>([
		['the list', { resource: 'deviceCode' }],
		['the filter', { filters: { filter: 'city ne "Springfield"' } }],
		['archived rows', { filters: { showArchived: true } }],
		['the fields that count', { onlyFields: ['name', 'fax'] }],
	])('starts over if %s changed, without a flood of items', async (_, changed) => {
		const trigger = await started();
		change(101, 'Before');
		await trigger.activate({ resource: 'vendor', ...changed });
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.executions).toEqual([]);
	});

	test('starts over for another account, but not for the same one in another spelling or with a new password', async () => {
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

	test('continues if only the output settings changed', async () => {
		const trigger = await started();
		change(101, 'Changed');
		await trigger.activate({ resource: 'vendor', output: 'raw', options: { timeout: 50 } });
		expect(told(trigger.executions.flat())).toEqual([['changed', 101, 'Changed']]);
	});
});

describe('a service in trouble', () => {
	let names: string[];
	let service: FakeService;
	/** The response instead of the rows. */
	let instead: string | undefined;
	let status: number;
	beforeEach(async () => {
		names = Array.from({ length: 120 }, (_, n) => `row ${n}`);
		instead = undefined;
		status = 200;
		service = await startFakeService((_request, response) => {
			if (instead !== undefined) return response.writeHead(instead ? 200 : 204).end(instead);
			const vendors = names.map((name) => ({ departmentBusinessID: +name.split(' ')[1]!, name }));
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
		[429, /next poll finds what changed/],
	])('with status %i gives an error that mentions no item to run again', async (code, advice) => {
		const trigger = await startedHere('vendor', { options: { maxTries: 1 } });
		status = code;
		expect(await trigger.poll()).toEqual([]);
		const [error] = trigger.errors;
		expect(error?.description).toMatch(advice);
		expect(error?.description).not.toMatch(/item/);
	});

	/** Advances both clocks; otherwise each poll would seem to sign in right after the last one. */
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

	const empties = ['{}', '', '{"totalRows":0,"vendors":[]}'];
	test.each(empties)('that sends %j has rows reported removed in the fourth poll', async (body) => {
		const trigger = await startedHere();
		instead = body;
		expect(await pollTimes(trigger, 3)).toEqual([]);
		expect(counts(await pollTimes(trigger, 1))).toEqual([0, 0, 120]);
		expect(trigger.errors).toEqual([]);
	});

	test('that recovers in between has its missing rows counted from the start, and no row reported twice', async () => {
		const trigger = await startedHere();
		instead = '';
		expect(await pollTimes(trigger, 3)).toEqual([]);
		instead = undefined;
		expect(await pollTimes(trigger, 1)).toEqual([]);
		instead = '';
		expect(await pollTimes(trigger, 3)).toEqual([]);
		expect(counts(await pollTimes(trigger, 1))).toEqual([0, 0, 120]);
		expect(await pollTimes(trigger, 1)).toEqual([]);
	});

	test('that sends an empty list has no row reported as added when it is back, if removals are not selected', async () => {
		const trigger = await startedHere('vendor', { triggerOn: ['added'] });
		instead = '';
		expect(await pollTimes(trigger, 3)).toEqual([]);
		instead = undefined;
		expect(await pollTimes(trigger, 1)).toEqual([]);
	});

	test('other query parameters may give another list, so the trigger starts over', async () => {
		const trigger = await startedHere();
		names = names.slice(1);
		const options = { additionalFields: '{"agencyID":12}' };
		await trigger.activate({ resource: 'vendor', options });
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.executions).toEqual([]);
	});

	test('a list that can only be read in part is not watched', async () => {
		instead =
			'{"totalRows":230,"infrastructures":[{"InfrastructureID":1,"Infrastructure":"Airport"}]}';
		await expect(startedHere('infrastructureCategory')).rejects.toThrow(
			/counts 230 rows, but sent only 1: such a list cannot be watched/,
		);
	});

	test('rows that reappear in a shortened list within half an hour are never reported', async () => {
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
		// Now the last row is missing, too, together with many others.
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
	])('of %i rows, up to %i removals are reported at once', async (length, few) => {
		names = Array.from({ length }, (_, n) => `row ${n}`);
		const trigger = await startedHere();
		names = names.slice(few);
		expect(counts(await trigger.poll())).toEqual([0, 0, few]);
		names = names.slice(few + 1);
		expect(await pollTimes(trigger, 3)).toEqual([]);
		expect(counts(await pollTimes(trigger, 1))).toEqual([0, 0, few + 1]);
	});
});

describe('more changes than one execution takes', () => {
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

	test('with too many characters are split over executions, and the saved state is bounded', async () => {
		await startedWith(0, { output: 'raw' });
		const notes = 'x'.repeat(30_000);
		for (let id = 0; id < 350; id++) rows.set(id, { departmentBusinessID: id, notes });
		const items: IDataObject[] = [];
		for (let poll = 0; poll < 2; poll++) {
			items.push(...(await trigger.poll()));
			expect(JSON.stringify(trigger.saved).length).toBeLessThan(11_000_000);
		}
		expect(items.map(({ departmentBusinessID: id }) => id)).toEqual([...rows.keys()]);
		expect(trigger.executions).toHaveLength(2);
	});

	test('include a single row larger than the limit', async () => {
		await startedWith(0, { output: 'raw' });
		rows.set(0, { departmentBusinessID: 0, notes: 'x'.repeat(11_000_000) });
		rows.set(1, { departmentBusinessID: 1 });
		for (const id of [0, 1]) expect(told(await trigger.poll())).toEqual([['added', id]]);
		expect(await trigger.poll()).toEqual([]);
	});
});

test("'Row Changed' alone is refused for rows without an ID before the trigger starts", async () => {
	await expect(started({ resource: 'deviceCode', triggerOn: ['changed'] })).rejects.toThrow(
		"Rows of this list have no ID, so 'Row Changed' never happens",
	);
});

describe('restarts', () => {
	test('if the service refuses while n8n starts, the trigger stays active, shows the failure and misses nothing', async () => {
		const trigger = await started();
		const id = add('New');
		sandbox.faults.set([{ fault: 'refuse', operation: 'listVendors', status: 403, times: 1 }]);
		expect(await trigger.restart()).toEqual([]);
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringContaining('status 403'),
		]);
		expect(told(await trigger.poll())).toEqual([['added', id, 'New']]);
	});

	test('if the service refuses while a person publishes the workflow, the error is shown at once', async () => {
		sandbox.faults.set([{ fault: 'refuse', operation: 'listVendors', status: 403, times: 1 }]);
		await expect(started()).rejects.toThrow('status 403');
	});
});

describe('a list that is read in pages', () => {
	let ids: number[];
	let onPage: (url: string) => unknown;
	let trigger: Trigger;
	beforeEach(async () => {
		ids = Array.from({ length: 40 }, (_, id) => id);
		onPage = () => {};
		const service = await startFakeService(async (request, response) => {
			const url = request.url!;
			await onPage(url);
			const query = new URL(url, 'http://service').searchParams;
			const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
			const rows = ids.slice(offset, offset + limit);
			const vendors = rows.map((departmentBusinessID) => ({ departmentBusinessID }));
			response.end(JSON.stringify({ totalRows: ids.length, vendors }));
		});
		const credential = credentialsFor(service.url, withPageSize(20));
		trigger = await new Trigger({ resource: 'vendor' }, credential).activate();
	});

	test('is read by one of two concurrent polls, even if a person fetches a test event meanwhile', async () => {
		ids = [...ids, 100];
		let meanwhile: Promise<object> | undefined;
		// Only the first page waits: the other requests belong to what happens meanwhile.
		onPage = () => {
			if (meanwhile) return undefined;
			meanwhile = trigger.test().then(async (shown) => [shown.length, await trigger.poll()]);
			return meanwhile;
		};
		expect(told(await trigger.poll())).toEqual([['added', 100]]);
		expect(await meanwhile).toEqual([3, []]);
	});

	test('does not lose rows missed with many others as soon as few are missing', async () => {
		const all = ids;
		for (const missing of [20, 5]) {
			ids = all.slice(missing);
			expect(await trigger.poll()).toEqual([]);
		}
		expect(trigger.errors).toEqual([]);
	});

	test('is not believed after two readings with the same repeated row', async () => {
		onPage = (url) => {
			if (url.includes('offset')) ids = [Math.max(...ids) + 1, ...ids];
			else ids = ids.filter((id) => id < 40);
		};
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(/changed each of the 3 times/),
		]);
	});

	test.each([1, 2])('is not believed if it changed during equal reading %d', async (changing) => {
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
	});
});

describe('an undocumented list', () => {
	let incidents: IDataObject[];
	let paths: readonly string[];
	let newIncidents: (parameters?: INodeParameters) => Trigger;
	const otherList = {
		resource: 'otherList',
		path: '/agencyincidents/incidents',
		rowsKey: 'incidents',
		idField: 'incidentID',
	};
	beforeEach(async () => {
		incidents = [1, 2, 3].map((n) => ({ incidentID: `${n}`, rowVersion: `v${n}`, status: 'open' }));
		const service = await startFakeService((_request, response) => {
			const rows = incidents.map((incident, at) => ({ rowNum: `${at + 1}`, ...incident }));
			response.end(JSON.stringify({ totalRows: `${rows.length}`, incidents: rows }));
		});
		({ paths } = service);
		newIncidents = (others = {}) =>
			new Trigger({ ...otherList, ...others }, credentialsFor(service.url));
	});
	const toldOf = (all: IDataObject[]) =>
		all.map(({ changeType, incidentID, changedFields }) => [changeType, incidentID, changedFields]);

	test('is watched by its path for added, changed and removed rows', async () => {
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

	test('is watched for named fields alone, which all rows may lose and get back', async () => {
		const trigger = await newIncidents({ onlyFields: ['status'] }).activate();
		incidents = incidents.map((incident) => ({ ...incident, unit: 'E1' }));
		expect(await trigger.poll()).toEqual([]);
		const before = incidents;
		incidents = before.map(({ status, ...others }) => others);
		const changed = before.map(({ incidentID }) => ['changed', incidentID, ['status']]);
		expect(toldOf(await trigger.poll())).toEqual(changed);
		expect(await trigger.poll()).toEqual([]);
		incidents = before;
		expect(toldOf(await trigger.poll())).toEqual(changed);
		expect(trigger.errors).toEqual([]);
	});

	test('shows a few rows in a test event, even if they lack a named field', async () => {
		const [first, ...others] = incidents;
		incidents = [...others, ...others, { ...first, incidentID: '9', lastUnit: 'E1' }];
		expect(await newIncidents({ onlyFields: ['lastUnit'] }).test()).toHaveLength(3);
	});

	test.each([
		['path', '/agencyincidents/incidents?year=2026'],
		['idField', 'status'],
	])('starts over with another %s', async (name, value) => {
		const trigger = await newIncidents().activate();
		incidents = incidents.slice(1);
		await trigger.activate({ ...otherList, [name]: value });
		expect(trigger.executions).toEqual([]);
	});

	test.each<[INodeParameters, RegExp, string?]>([
		[{ idField: 'incidentId' }, /No row of the list has the field 'incidentId'/],
		[{ onlyFields: ['Status'] }, /No row of the list has the field 'Status'/],
		[{ rowsKey: 'incident' }, /'incident', not .*"incidents":/, "Check 'Path' and 'List Field'."],
		[{ path: '' }, /'Path' is required/],
		[{ idField: '' }, /'ID Field' is required/],
	])('reports %j when the trigger is activated', async (wrong, message, advice = '') => {
		const activated = newIncidents(wrong).activate();
		await expect(activated).rejects.toThrow(message);
		if (advice) await expect(activated).rejects.toMatchObject({ description: advice });
	});
});

test('a filter with $now counts as the same filter in each poll', async () => {
	const trigger = await started({ filters: { filter: '=city ne "{{ $now.toISO() }}"' } });
	change(101, 'Changed');
	expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
	await trigger.restart();
	change(102, 'Changed too');
	expect(told(await trigger.poll())).toEqual([['changed', 102, 'Changed too']]);
	expect(trigger.errors).toEqual([]);
});

describe('a test event', () => {
	test('shows a few rows and changes no state', async () => {
		const trigger = await started();
		change(101, 'Changed');
		const shown = told(await trigger.test());
		expect(shown.map(([kind, id]) => [kind, id])).toEqual(
			[101, 102, 103].map((id) => ['added', id]),
		);
		expect(told(await trigger.poll())).toEqual([['changed', 101, 'Changed']]);
	});

	test.each(['added', 'changed', 'removed'])('for %s marks each item as a sample', async (kind) => {
		const items = await newTrigger({ triggerOn: [kind] }).test();
		expect(items).toHaveLength(3);
		for (const item of items) {
			expect(Object.keys(item).slice(0, 2)).toEqual(['changeType', 'sample']);
			expect(item.sample).toContain('nothing has changed');
		}
	});

	test('of an empty list is an error that says so', async () => {
		const filters = { filter: 'name eq "nobody"' };
		await expect(newTrigger({ filters }).test()).rejects.toThrow(/no rows to show/);
	});
});

test('with an error output, a failed poll gives an item that n8n moves there', async () => {
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

test('errors and saved data contain no secrets', async () => {
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
