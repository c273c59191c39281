// "Retry" of a failed execution: n8n runs the failed node again for all of its items. The node resumes where its run
// ended if it knows that place for certain; otherwise it sends nothing.
import type { IRunExecutionData } from 'n8n-workflow';

import { AgencyRecordsApi } from '../../../credentials/AgencyRecordsApi.credentials';
import { retryDelays } from '../../../engine/n8nDatabase';
import { timing } from '../../../engine/once/timing';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { singleNodeCredentials, singleNodeWorkflow } from '../../../n8n-in-process/singleNode.mts';
import { manualTriggerType, runWorkflow, workflowOf } from '../../../n8n-in-process/workflow.mts';
import type { FaultRule } from '../../../sandbox/faults.mts';
import { anotherProcess } from '../../harness/anotherProcess.cts';
import { createSchedules, namedRows, type CreateOptions } from '../../harness/createSchedules.cts';
import { contextOf, useStoreOfKeys } from '../../harness/keyRows.cts';
import { rowNames } from '../../harness/records.cts';
import { continueOnFail, type RunResult } from '../../harness/run.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { aDay } from '../../harness/aDay.mts';

Object.assign(timing, { pollInterval: 1, deadAfter: 30 });
retryDelays.splice(0, Infinity, 1, 1);

let strike: FaultRule['fault'];
let untilStrike = 0;
const sandbox = useSandbox({
	each: 'test',
	onArrival(operation) {
		if (operation !== 'createShiftSchedule' || --untilStrike !== 0) return;
		sandbox.faults.set([{ fault: strike, operation, status: 409, times: 1 }]);
	},
});
// Pauses after a failed request; heartbeats are further apart.
useVirtualTime({ skipsPauses: true, longestSkipped: 1000 });
const store = useStoreOfKeys();
beforeEach(() => void (untilStrike = 0));

const count = 20;
const items = namedRows(count);
const fields = { ...aDay, name: '={{ $json.name }}' };
const options = { maxTries: 1, parallelRequests: 4 };
const create = ({ credentials = sandbox.credentials(), ...more }: CreateOptions = {}) =>
	createSchedules(credentials, { items, ...more, options: { ...options, ...more.options } });
const namesInService = () => rowNames(sandbox);
const times = (name: string) => namesInService().filter((other) => other === name).length;
/** The message of such a run's error. */
const refusal = /^The service returned status 409.* \[row \d+ \(item \d+\)\]$/;
/** The seventh request from now fails. */
const failWith = (fault: FaultRule['fault']) => {
	strike = fault;
	untilStrike = 7;
};
/** A run that ends because the service refuses one item. */
const refused = () => {
	failWith('refuse');
	return create();
};
const retry = (of: RunResult, more: CreateOptions = {}) => create({ ...more, retryOf: of.data });

test.each<[string, RegExp, () => CreateOptions]>([
	[
		'sign-in was refused',
		/^Sign-in was refused: .*password is wrong/,
		() => ({ credentials: sandbox.credentials({ password: 'not-the-password' }) }),
	],
	[
		'an item did not fit',
		/must be a date and time that exists/,
		() => ({ parameters: { fields: { ...aDay, name: 'A', fromDate: '2026-13-26' } } }),
	],
])('%s: what is mended goes through when it is retried', async (_, message, wrong) => {
	const first = await create(wrong());
	expect(first.error?.message).toMatch(message);
	const again = await retry(first);
	expect(again.error).toBeUndefined();
	expect(again.json).toHaveLength(count);
	expect(namesInService()).toHaveLength(count);
});

test('a retry sends the unprocessed items, and returns the others', async () => {
	const first = await refused();
	expect(first.error?.message).toMatch(refusal);
	const again = await retry(first);
	expect(again.error).toBeUndefined();
	expect(again.json).toHaveLength(count);
	expect(again.json.every(({ shiftScheduleID }) => Number(shiftScheduleID) > 0)).toBe(true);
	expect(again.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_, item) => ({ item })),
	);
	for (const { name } of items) expect(times(name)).toBe(1);
});

test('an old failure does not look new: an item in doubt is not resent, and the advice says how to send it', async () => {
	sandbox.faults.set([
		{ fault: 'failAfter', operation: 'createShiftSchedule', status: 503, times: 1 },
	]);
	const first = await create({ items: items.slice(0, 2), options: { parallelRequests: 1 } });
	expect(first.error?.message).toMatch(/^May already .*\(The service returned status 503/);
	const again = await retry(first, { items: items.slice(0, 2) });
	expect(again.error?.message).toBe(
		'Not resent: in an earlier run, it was in doubt (status 503) [row 1 (item 0)]',
	);
	expect(again.error?.description).toMatch(/^Look the record up .* start a new execution/);
	// The advice works.
	const anew = await create({ items: items.slice(0, 1) });
	expect(anew.json).toHaveLength(1);
});

test('a retry that ends before it sends anything lets one other retry resume, its own or not', async () => {
	const first = await refused();
	const sent = namesInService().length;
	const wrong = await retry(first, { parameters: { fields: { ...fields, fromDate: 'soon' } } });
	expect(wrong.error?.message).toContain('must be a date');
	expect(namesInService()).toHaveLength(sent);
	const { error } = await retry(wrong);
	expect(error).toBeUndefined();
	expect(namesInService()).toHaveLength(count);
	const again = await retry(first);
	expect(again.error?.message).toContain('n8n is retrying this execution');
	expect(namesInService()).toHaveLength(count);
});

test('next to a Remove Duplicates node for the whole workflow, a retry sends nothing and says why', async () => {
	const first = await refused();
	const before = namesInService();
	const context = contextOf('workflow');
	await store.rows.checkProcessedAndRecord(['a', 'b'], 'workflow', context, { mode: 'entries' });
	const again = await retry(first);
	expect(again.error?.message).toContain('n8n is retrying this execution');
	expect(again.error?.description).toContain("has its 'Scope' set to 'Workflow'");
	expect(namesInService()).toEqual(before);
	await store.rows.clearAllProcessedItems('workflow', context);
	expect((await retry(first)).json).toHaveLength(count);
});

/** The data of an execution whose process was killed: n8n has only what it saved at the beginning. */
function killed({ data }: RunResult): IRunExecutionData {
	const { executionData } = data;
	return { ...data, executionData: { ...executionData!, contextData: {} } };
}

test('after n8n died, a retry sends nothing and says why', async () => {
	const first = await refused();
	const before = namesInService().length;
	const again = await create({ retryOf: killed(first) });
	expect(again.error?.message).toContain('does not say what its last run sent');
	expect(again.error?.description).toContain('start a new execution');
	expect(namesInService()).toHaveLength(before);
	const continued = await create({ retryOf: killed(first), nodeSettings: continueOnFail });
	const error = { outcome: 'inDoubt', retryable: false };
	expect(continued.json).toMatchObject(Array(count).fill({ error }));
});

test('an item that a person had resent is in doubt again if n8n died over it', async () => {
	const sendOnceKey = '={{ $json.name }}';
	const one = [items[0]!];
	strike = 'resetBefore';
	untilStrike = 1;
	await create({ items: one, options: { sendOnceKey } });
	expect(times('row 0')).toBe(0);
	strike = 'resetAfter';
	untilStrike = 1;
	const inDoubt = { sendOnceKey, sendOnceLookedUp: "={{ $json.name && 'areNotThere' }}" };
	const anyway = await create({ items: one, options: inDoubt });
	const again = await create({ items: one, options: inDoubt, retryOf: killed(anyway) });
	expect(again.error?.message).toMatch(/^Another run began to send this row/);
	expect(times('row 0')).toBe(1);
});

test.each<[string, (first: RunResult) => CreateOptions]>([
	[
		'other items',
		({ data }) => {
			const [node] = data.executionData!.nodeExecutionStack;
			node!.data.main![0]!.push({ json: { name: 'row 99' } });
			return {};
		},
	],
	[
		'another operation',
		() => ({
			node: new AgencyLicenses(),
			parameters: {
				specifyFields: 'json',
				json: '={{ { op: "replace", path: [{ path: "/licenses/" + $itemIndex }], value: [{ userID: 7 }] } }}',
			},
		}),
	],
	[
		'another run of the node, as in a loop',
		({ data }) => {
			const { runData } = data.resultData;
			runData.Node = [runData.Node![0]!, runData.Node![0]!];
			return {};
		},
	],
])('%s: that is no retry of what was sent', async (_, change) => {
	const first = await refused();
	const before = namesInService();
	const again = await retry(first, change(first));
	expect(again.error?.message).toContain('n8n is retrying this execution');
	expect(namesInService()).toEqual(before);
});

test('once a retry has started, no other can resume, even if the store has forgotten it', async () => {
	const first = await refused();
	const second = await retry(first);
	expect(second.error).toBeUndefined();
	await store.forgetAll();
	const { executionData } = first.data;
	const { contextData } = second.data.executionData!;
	const again = await create({
		retryOf: { ...first.data, executionData: { ...executionData!, contextData } },
	});
	expect(again.error?.message).toContain('n8n is retrying this execution');
	for (const { name } of items) expect(times(name)).toBe(1);
});

const type = 'n8n-nodes-agency-records.agencyShiftSchedules';
/** The environment in which n8n runs a workflow of this node. */
const partsOf = () => ({
	nodeTypes: { [type]: new AgencyShiftSchedules() },
	credentialTypes: [new AgencyRecordsApi()],
	credentials: sandbox.credentials(),
});

test('input that JSON cannot hold does not hide why a run ended and which items it sent', async () => {
	failWith('refuse');
	const given = items.map((json) => ({ json: { ...json, extra: 1n as never } }));
	const file = singleNodeWorkflow({ type, parameters: { fields, options }, items: given });
	const { run } = await runWorkflow(file, partsOf());
	const error = run.data.resultData.error as { message: string; description?: string };
	expect(error.message).toMatch(refusal);
	expect(error.description).toContain('Already processed, do not resend: rows 1');
});

test.each([
	['in one process', () => new AgencyShiftSchedules()],
	['in another process, as after a Wait node', () => anotherProcess().creating],
])('behind a node that goes on, those that had not begun run as always, %s', async (_, nodeOf) => {
	failWith('refuse');
	const parameters = { fields, options: { ...options, include: 'inputItem' } };
	const then = { fields: { ...aDay, name: "={{ $json.name + ', then' }}" } };
	const credentials = singleNodeCredentials;
	const file = workflowOf(
		'Two nodes',
		[
			{ name: 'Start', type: manualTriggerType },
			{ name: 'First', type, parameters, credentials },
			{ name: 'Then', type: 'then', parameters: then, credentials },
		],
		{ pinData: { Start: items.map((json) => ({ json })) } },
	);
	const parts = partsOf();
	Object.assign(parts.nodeTypes, { then: nodeOf() });
	const { run } = await runWorkflow(file, parts);
	expect(run.data.resultData.error?.message).toMatch(refusal);
	const data = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	const again = await runWorkflow(file, parts, { retryOf: data });
	expect(again.run.data.resultData.error).toBeUndefined();
	for (const { name } of items) expect([times(name), times(`${name}, then`)]).toEqual([1, 1]);
});
