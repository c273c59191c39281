// The data that an error workflow gets about a failed run, besides the message: enough to decide whom to wake.
import type { ICredentialDataDecryptedObject, NodeApiError } from 'n8n-workflow';

import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { createSchedules, namedRows } from '../../harness/createSchedules.cts';
import { errorOf, continueOnFail, runNode } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox();

const failing = (changes: ICredentialDataDecryptedObject = {}, items = namedRows(3)) =>
	createSchedules(sandbox.credentials(changes), {
		items,
		options: { maxTries: 1, parallelRequests: 1 },
	});
const contextOf = ({ data }: Awaited<ReturnType<typeof runNode>>) =>
	(data.resultData.error as NodeApiError).context;

test('the values', async () => {
	const items = [...namedRows(2), { name: '' }];
	expect(contextOf(await failing({}, items))).toMatchObject({
		code: 'invalidValues',
		outcome: 'notSent',
		fault: 'values',
		counts: { notSent: 3 },
	});
});

test('the settings of the credential', async () => {
	expect(contextOf(await failing({ apiKey: 'wrong' }))).toMatchObject({
		code: 'keyRefused',
		fault: 'settings',
		counts: { notSent: 3 },
	});
});

test('the settings of the node', async () => {
	const node = new AgencyShiftSchedules();
	const credentials = sandbox.credentials();
	const result = await runNode({ node, parameters: { operation: 'paint' }, credentials });
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

test('an error item has the same context', async () => {
	const items = [{ name: '' }];
	const { json } = await createSchedules(sandbox.credentials(), {
		items,
		nodeSettings: continueOnFail,
	});
	expect(errorOf(json[0])).toMatchObject({ code: 'invalidValues', fault: 'values' });
});

describe("'Execute Once'", () => {
	const run = (count: number, executeOnce: boolean) =>
		createSchedules(sandbox.credentials(), {
			items: namedRows(count),
			nodeSettings: { executeOnce },
		});

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
