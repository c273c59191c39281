// Two processes of n8n send rows with keys at the same moment, on a store that behaves as n8n's: what one reads and
// writes back erases what the other has written meanwhile. Needs the built package.
import { nodeName, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import { useSandbox } from '../harness/useSandbox';
import { startWorkers, type Workers } from '../harness/workers.mts';

const sandbox = useSandbox();
let team: Workers;
beforeAll(async () => {
	team = await startWorkers(2, sandbox.credentials());
});
afterAll(() => team.stop());

const names = (batch: string, count: number) =>
	Array.from({ length: count }, (_, row) => `${batch}, row ${row}`);

const workflow = (rows: readonly string[]) =>
	singleNodeWorkflow({
		type: 'n8n-nodes-agency-records.agencyShiftSchedules',
		parameters: {
			specifyFields: 'inputItem',
			options: { sendOnceKey: '={{ $json.name }}', sendOnceRemember: 100_000 },
		},
		items: rows.map((name) => ({ json: { name } })),
		nodeSettings: { onError: 'continueRegularOutput' },
	});

async function run(process: number, rows: readonly string[]): Promise<string[]> {
	const { output } = await team.workers[process]!.run(workflow(rows), { limit: 60_000 });
	return output[nodeName]!.map((item) => {
		if (item.alreadySent) return 'alreadySent';
		return 'error' in item ? (item.message as string) : 'sent';
	});
}

/** How often each row is in the service. */
function timesInService(rows: readonly string[]): Set<number> {
	const counts = sandbox.records.countBy('shiftSchedule', 'name');
	return new Set(rows.map((name) => counts.get(name) ?? 0));
}

test('the same keys at the same moment: each is sent by one, and in doubt for none', async () => {
	const rows = names('same', 150);
	const outcomes = await Promise.all([run(0, rows), run(1, rows)]);
	expect(timesInService(rows)).toEqual(new Set([1]));
	expect(new Set(outcomes.flat())).toEqual(new Set(['sent', 'alreadySent']));
	expect(outcomes.flat().filter((outcome) => outcome === 'sent')).toHaveLength(150);
});

test('different keys at the same moment: all are remembered', async () => {
	const batches = ['a', 'b', 'c', 'd'].map((batch) => names(batch, 60));
	await Promise.all(batches.map((rows, at) => run(at % 2, rows)));
	const again = await Promise.all(batches.map((rows, at) => run((at + 1) % 2, rows)));
	expect(new Set(again.flat())).toEqual(new Set(['alreadySent']));
	expect(timesInService(batches.flat())).toEqual(new Set([1]));
});
