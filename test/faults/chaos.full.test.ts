// Thousands of writes under random faults: what the node claims of each item, held against the records in the service.
// SEED repeats a run, CREATES makes it longer.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { mixedFaults } from '../../sandbox/mixedFaults.mts';
import { runNode, type RunOptions } from '../harness/run';
import { useSandbox } from '../harness/useSandbox';
import { leaks, secretsOf } from './secrets';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const creates = Number(process.env.CREATES ?? 2000);

const sandbox = useSandbox({ seed, faults: mixedFaults });
beforeAll(() => console.log(`seed ${seed}; SEED=${seed} repeats the run`));

/**
 * Runs a node under faults and judges what it claims.
 * @param timesOf how often the work of an item is in the service
 */
async function judge(
	options: Pick<RunOptions, 'node' | 'parameters'> & { items: INodeExecutionData[] },
	timesOf: (itemIndex: number) => number,
) {
	const credentials = sandbox.credentials({ grantType: 'password' });
	const { items, saved, error } = await runNode({
		...options,
		credentials,
		nodeSettings: { onError: 'continueRegularOutput' },
	});
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		options.items.map((_, item) => ({ item })),
	);
	expect(leaks(saved, secretsOf(credentials))).toEqual([]);
	const count = { ok: 0, notSent: 0, refused: 0, unknown: 0, done: 0 };
	const wrong = { lost: [] as number[], doubled: [] as number[], deniedButThere: [] as number[] };
	for (const [itemIndex, { json }] of items.entries()) {
		const error = json.error as IDataObject | undefined;
		const claim = (error?.outcome ?? 'ok') as keyof typeof count;
		const times = timesOf(itemIndex);
		count[claim]++;
		if (times > 1) wrong.doubled.push(itemIndex);
		if ((claim === 'ok' || claim === 'done') && times === 0) wrong.lost.push(itemIndex);
		if ((claim === 'refused' || claim === 'notSent') && times > 0) {
			wrong.deniedButThere.push(itemIndex);
		}
	}
	console.log(`${options.items.length} items: ${JSON.stringify(count)}`);
	expect(wrong).toEqual({ lost: [], doubled: [], deniedButThere: [] });
	expect(count.ok).toBeGreaterThan(options.items.length / 2);
	return count;
}

test(`${creates} creates`, async () => {
	let counts: Map<unknown, number> | undefined;
	const count = await judge(
		{
			node: new AgencyShiftSchedules(),
			parameters: { specifyFields: 'inputItem' },
			items: Array.from({ length: creates }, (_, n) => ({ json: { name: `row ${n}` } })),
		},
		(n) => (counts ??= sandbox.records.countBy('shiftSchedule', 'name')).get(`row ${n}`) ?? 0,
	);
	// The faults did strike.
	expect(Math.min(count.unknown, count.refused, count.done)).toBeGreaterThan(0);
	expect(sandbox.faults.struck.expireToken).toBeGreaterThan(0);
});

test('bulk patches', async () => {
	const licenses = sandbox.records.list('license').rows;
	const times = new Map<number, number>();
	const update = sandbox.records.update.bind(sandbox.records);
	sandbox.records.update = (kind, id, data) => {
		times.set(id, (times.get(id) ?? 0) + 1);
		update(kind, id, data);
	};
	await judge(
		{
			node: new AgencyLicenses(),
			parameters: {
				op: 'add',
				path: { entries: [{ path: '={{ $json.path }}' }] },
				value: { entries: [{ userID: 7 }] },
				options: { batchSize: 2 },
			},
			items: licenses.map(({ id }) => ({ json: { path: `/licenses/${id}` } })),
		},
		(n) => times.get(licenses[n]!.id) ?? 0,
	);
});
