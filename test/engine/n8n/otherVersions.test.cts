// The nodes in an n8n that does some things otherwise, as its versions from 1.85 on do: test:versions runs them in
// full installations.
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import { runNode } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

/** The same node in an older n8n. */
const inOlderN8n = (node: INodeType): INodeType => ({
	...node,
	async execute(this: IExecuteFunctions) {
		const older = Object.create(this, { addExecutionHints: { value: undefined } }) as typeof this;
		return await node.execute!.call(older);
	},
});

useVirtualTime({ skipsPauses: true });
const sandbox = useSandbox({ each: 'test' });

test('where n8n has no place for hints, the output is the same', async () => {
	const { json, error, hints } = await runNode({
		node: inOlderN8n(new AgencyShifts()),
		parameters: { shiftID: 101, options: { maxTries: '' } },
		credentials: sandbox.credentials(),
	});
	expect([error, json.length, hints]).toEqual([undefined, 1, []]);
	expect(json[0]).toHaveProperty('shift');
});

test.each(['nodes/AgencyShifts/AgencyShifts.node', 'credentials/AgencyRecordsApi.credentials'])(
	'an n8n that is too old for %s is told so',
	(file) => {
		jest.isolateModules(() => {
			// n8n-workflow before 1.83.
			jest.doMock('n8n-workflow', () => ({ UserError: Error }));
			expect(() => jest.requireActual<object>(`../../../${file}`)).toThrow(
				/needs n8n 1\.85 or newer/,
			);
		});
	},
);
