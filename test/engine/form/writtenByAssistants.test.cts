// JSON as an assistant writes it from the form's texts: one message is enough to correct it.
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyRecordsRequest } from '../../../nodes/AgencyRecordsRequest/AgencyRecordsRequest.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { nodeParameters } from '../../contract/tables.cts';
import { aDay } from '../../harness/aDay.mts';
import { continueOnFail, type RunOptions } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';

const sandbox = useSandbox();

/** @param parameters as they are written; n8n keeps of them what the node declares, and what its form shows */
const run = (node: INodeType, parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	sandbox.run({ node, parameters: nodeParameters(node, parameters, false), ...more });

const fields = { ...aDay, name: 'A' };

test('a label instead of a value that hides fields: the message names the value, and no hidden field', async () => {
	const node = new AgencyShiftSchedules();
	const wrong = await run(node, { specifyFields: 'Using Fields Below', fields });
	expect(wrong.error?.message).toMatch(
		/^'Specify Fields' is "Using Fields Below", but must be one of form \(Using Fields Below\), inputItem \(/,
	);
	expect(wrong.error?.message).not.toContain("'Name'");
	const [, value] = / one of (\w+)/.exec(wrong.error!.message)!;
	expect((await run(node, { specifyFields: value!, fields })).error).toBeUndefined();
});

test('if one field has a value, the place of the missing ones is not explained', async () => {
	const { error } = await run(new AgencyShiftSchedules(), { fields: { name: 'A' } });
	expect(error?.message).toMatch(/^'From Date' is required but empty\. 'To Date' .* empty\.$/);
});

describe('Agency Records Request', () => {
	const node = new AgencyRecordsRequest();
	const responses = '/agencyinspections/inspections/9999/answers';
	const missing = `=${responses}/{{ 9000 + $itemIndex }}`;

	test('a refused request is reported with its method and path', async () => {
		for (const [operation, method] of [
			['delete', 'DELETE'],
			['get', 'GET'],
		]) {
			const parameters = { operation: operation!, path: missing };
			const request = `(${method} ${responses}/9000)`;
			expect((await run(node, parameters)).error?.message).toContain(request);
			const items = [{}, {}];
			const { json } = await run(node, parameters, { items, nodeSettings: continueOnFail });
			expect(json.map(({ message }) => message)).toEqual([
				expect.stringContaining(`${request} [row 1 (item 0)]`),
				expect.stringContaining(`(${method} ${responses}/9001) [row 2 (item 1)]`),
			]);
		}
	});

	test('an unknown operation: the message lists the operations, and names no other node', async () => {
		const { error } = await run(node, { operation: 'GET', path: '/x' });
		expect(error?.message).toBe(
			'This node has no operation "GET": it has delete (Delete), get (Get), getMany (Get Many), patch (Patch), post (Post), put (Put)',
		);
		expect(error?.description).not.toContain('use the node');
	});
});

test('an unknown operation of a node with one operation: the advice names the node for other requests', async () => {
	const { error } = await run(new AgencyShiftSchedules(), { operation: 'update' });
	expect(error?.description).toContain('Agency Records Request');
});
