// Two processes that share a credential, as n8n's workers do. Needs the built package.
import { nodeName, singleNodeWorkflow } from '../../n8n-in-process/singleNode.mts';
import { useSandbox } from '../harness/useSandbox';
import { startWorkers, type Workers } from '../harness/workers.mts';

const arrivals: string[] = [];
const sandbox = useSandbox({ onArrival: (operation) => void arrivals.push(operation) });
let team: Workers;
beforeAll(async () => {
	team = await startWorkers(2, sandbox.credentials({ grantType: 'password' }));
});
afterAll(() => team.stop());

const readShift = singleNodeWorkflow({
	type: 'n8n-nodes-agency-records.agencyShifts',
	parameters: { shiftID: 101 },
	items: [{ json: {} }],
});

test('a token that one process has stored serves the other', async () => {
	for (const worker of team.workers) {
		const { error, output } = await worker.run(readShift);
		expect(error).toBeUndefined();
		expect(output[nodeName]).toMatchObject([{ shift: { shift: 'A' } }]);
	}
	expect(arrivals).toEqual(['passwordToken', 'getShift', 'getShift']);
	expect(team.store.read('account').accessToken).toEqual(expect.stringContaining('accessToken'));
});

test('a workflow that takes too long ends its process, and no other', async () => {
	const [first, second] = team.workers;
	sandbox.faults.set([{ fault: 'delayBefore', milliseconds: 3_600_000 }]);
	await expect(first!.run(readShift, { limit: 1 })).rejects.toThrow('The process has ended');
	await expect(first!.run(readShift)).rejects.toThrow();
	sandbox.faults.set([]);
	expect((await second!.run(readShift)).error).toBeUndefined();
});
