// Everything the package does, with default settings, against a sandbox that behaves like the service in the public
// record.
import type { INodeType } from 'n8n-workflow';

import { AgencyRecordsRequest } from '../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyVendors } from '../../nodes/AgencyVendors/AgencyVendors.node';
import { publicDialects } from '../../sandbox/dialects.mts';
import type { StoredRecord } from '../../sandbox/recordStore.mts';
import { countWrites, exampleOperations } from '../faults/operations.cts';
import { Trigger } from '../harness/polling.cts';
import type { RunOptions } from '../harness/run.cts';
import { useSandbox } from '../harness/useSandbox.cts';
import { useVirtualTime } from '../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox({ dialects: publicDialects });
let writes = { count: 0 };
beforeAll(() => void (writes = countWrites(sandbox)));

const isUnexpected = (hint: string) => !/^Read as times in|: 'Limit'\.$/.test(hint);

const run = async (
	node: INodeType,
	parameters: RunOptions['parameters'],
	more: Partial<RunOptions> = {},
) => {
	const { json, error, hints } = await sandbox.run({ node, parameters, ...more });
	return { json, error, hints };
};

test.each(exampleOperations)('$name', async ({ node, parameters, items, method }) => {
	writes.count = 0;
	const { json, error, hints } = await run(node, parameters, { items });
	expect([error, hints.filter(isUnexpected)]).toEqual([undefined, []]);
	expect(json.length).toBeGreaterThan(0);
	expect(json.some((item) => 'error' in item)).toBe(false);
	expect(writes.count > 0).toBe(method !== 'GET');
});

const getVendors = (parameters: RunOptions['parameters']) =>
	run(new AgencyVendors(), { returnAll: true, ...parameters });

test('all pages of a list are read, with numbers and versions as in the API spec', async () => {
	const { json, error, hints } = await getVendors({ output: 'raw' });
	const { rows } = sandbox.records.list('vendor');
	expect([error, hints.filter(isUnexpected)]).toEqual([undefined, []]);
	expect(json.map(({ departmentBusinessID }) => departmentBusinessID)).toEqual(
		rows.map(({ id }) => id),
	);
	expect(json[0]).toMatchObject({
		rowNum: 1,
		archive: '0',
		rowVersion: expect.stringMatching(/^[0-9A-F]{16}$/),
	});
	expect(typeof json[0]!.zip).toBe('number');
});

test('filters work, and a list without rows is an empty list', async () => {
	const filter = 'zip gt 50000, category ne "Fuel"';
	const chosen = ({ data }: { data: Record<string, unknown> }) =>
		Number(data.zip) > 50_000 && data.category !== 'Fuel';
	const { json } = await getVendors({ filters: { filter } });
	expect(json).toHaveLength(sandbox.records.list('vendor').rows.filter(chosen).length);
	const none = await getVendors({ filters: { filter: 'name eq "nobody"' } });
	expect([none.error, none.json]).toEqual([undefined, []]);
	const changed = await getVendors({
		filters: { rowVersion: 'FFFFFFFFFFFF', changesSince: '2026-03-01' },
	});
	expect([changed.error, changed.json]).toEqual([undefined, []]);
});

test("an error is reported in the service's words", async () => {
	const { error } = await getVendors({ filters: { filter: 'no such filter' } });
	expect(error?.message).toMatch(/filter cannot be read from here: no such filter/);
});

test('the trigger reports exactly the rows that were added, changed and removed', async () => {
	const trigger = await new Trigger({ resource: 'vendor' }, sandbox.credentials()).activate();
	expect(await trigger.poll()).toEqual([]);
	const [{ id, data }, { id: last }] = sandbox.records.list('vendor').rows as [
		StoredRecord,
		StoredRecord,
	];
	const added = sandbox.records.insert('vendor', { name: 'Acme' });
	sandbox.records.update('vendor', id, { ...data, city: 'Salem' });
	sandbox.records.remove('vendor', last);
	const changes = (await trigger.poll()).map((one) => [one.changeType, one.departmentBusinessID]);
	const expected = { added, changed: id, removed: last };
	expect([changes.length, Object.fromEntries(changes) as object]).toEqual([3, expected]);
	expect(await trigger.poll()).toEqual([]);
	expect(trigger.errors).toEqual([]);
});

const request = (operation: string, parameters: RunOptions['parameters']) =>
	run(new AgencyRecordsRequest(), { operation, ...parameters });

test('other requests read what was created', async () => {
	sandbox.records.insert('shiftSchedule', { name: 'Night' });
	const path = '/agencyshiftschedules/shiftschedules';
	const { json, error } = await request('getMany', { path, rowsKey: 'shiftschedules' });
	expect(error).toBeUndefined();
	expect(json.at(-1)).toMatchObject({ name: 'Night' });
});
