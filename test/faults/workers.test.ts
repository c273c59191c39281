// Two processes that share a credential, as n8n's workers do. Needs the built package.
import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import { storeWith, workflowOf, nodeName } from '../../runner/oneNode.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { startWorkers, type Workers } from '../harness/workers.mts';

let sandbox: Sandbox;
let team: Workers;
const arrivals: string[] = [];
beforeAll(async () => {
	sandbox = await startSandbox({ onArrival: (operation) => arrivals.push(operation) });
	const credential = sandboxCredential(sandbox.url, { grantType: 'password' });
	team = await startWorkers(2, storeWith(credential));
});
afterAll(() => Promise.all([team.stop(), sandbox.close()]));

const readShift = workflowOf({
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
	sandbox.faults.set([{ fault: 'delayBefore', milliseconds: 60_000, times: 1 }]);
	await expect(first!.run(readShift, { limit: 300 })).rejects.toThrow('The process has ended');
	await expect(first!.run(readShift)).rejects.toThrow();
	expect((await second!.run(readShift)).error).toBeUndefined();
});
