// The data that an error workflow gets about a failed run, besides the message: enough to decide whom to wake.
import type { ICredentialDataDecryptedObject, NodeApiError } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import type { RunResult } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox();

const options = { maxTries: 1, parallelRequests: 1 };
const failing = (changes: ICredentialDataDecryptedObject = {}, items = namedRows(3)) =>
	createSchedules(sandbox.credentials(changes), { items, options });
const contextOf = ({ data }: RunResult) => (data.resultData.error as NodeApiError).context;

test.each([
	['the values', 'invalidValues', 'values', {}, [...namedRows(2), { name: '' }]],
	['the settings of the credential', 'keyRefused', 'settings', { apiKey: 'wrong' }, namedRows(3)],
])('%s', async (_, code, fault, changes, items) => {
	const counts = { notSent: 3 };
	const context = contextOf(await failing(changes as ICredentialDataDecryptedObject, items));
	expect(context).toMatchObject({ code, outcome: 'notSent', fault, counts });
});

test('the settings of the node', async () => {
	const node = new AgencyShiftSchedules();
	const result = await sandbox.run({ node, parameters: { operation: 'paint' } });
	expect(contextOf(result)).toMatchObject({ code: 'settingsUnusable', fault: 'settings' });
});

test.each([
	['refuse', 409, 'values', { refused: 1, notSent: 2 }],
	['refuse', 429, 'passing', { refused: 1, notSent: 2 }],
	['resetAfter', undefined, 'service', { inDoubt: 1, notSent: 2 }],
] as const)('the service: %s %s', async (fault, status, whose, counts) => {
	sandbox.faults.set([{ operation: 'createShiftSchedule', fault, status, times: 1 }]);
	expect(contextOf(await failing())).toMatchObject({ fault: whose, counts });
});

describe("'Execute Once'", () => {
	const run = (n: number, executeOnce: boolean) =>
		createSchedules(sandbox.credentials(), { items: namedRows(n), nodeSettings: { executeOnce } });

	test('sends only the first of several rows, with a hint', async () => {
		const { json, hints } = await run(3, true);
		expect(json).toHaveLength(1);
		expect(hints).toEqual([
			"Only the first of 3 rows was read, since 'Execute Once' is on in this node's settings.",
		]);
	});

	test.each([
		[1, true],
		[3, false],
	])('%j rows, %j: nothing is left out', async (count, executeOnce) => {
		const { json, hints } = await run(count, executeOnce);
		expect([json.length, hints]).toEqual([count, []]);
	});
});
