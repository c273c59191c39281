// Runs that stop midway, and runs that n8n repeats: nothing is sent twice, and the user learns what is in the service.
import { WorkflowExpression, type IExecuteFunctions } from 'n8n-workflow';

import { run } from '../../../engine/run';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { shiftSchedules } from '../../../nodes/AgencyShiftSchedules/shiftSchedules.area';
import type { FaultRule } from '../../../sandbox/faults.mts';
import { createSchedules, namedRows, type CreateOptions } from '../../harness/createSchedules.cts';
import { n8nLogger } from '../../harness/n8nLogger.cts';
import { rowNames } from '../../harness/records.cts';
import { useSandbox } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { aDay } from '../../harness/aDay.mts';

const time = useVirtualTime();

/** The operations of the arrived requests, in order. */
let arrivals: string[] = [];
/** Called as a request arrives. */
let onArrival: (operation: string) => void = () => {};
const sandbox = useSandbox({
	each: 'test',
	onArrival(operation) {
		arrivals.push(operation);
		onArrival(operation);
	},
});
beforeEach(() => {
	arrivals = [];
	onArrival = () => {};
});
const arrivalsOf = (operation: string) => arrivals.filter((other) => other === operation);

const create = (how: CreateOptions) =>
	createSchedules(sandbox.credentials(), { options: { parallelRequests: 1, maxTries: 1 }, ...how });
/** The number of times each name is in the service. */
const inService = (): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const name of rowNames(sandbox)) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
};
const once = (...rows: number[]) => Object.fromEntries(rows.map((n) => [`row ${n}`, 1]));
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const idOf = (name: string) =>
	sandbox.records.list('shiftSchedule').rows.find(({ data }) => data.name === name)?.id;

const operation = 'createShiftSchedule';

/** @param strikes faults by the number of the create that they strike, in order of arrival, from 1 */
function strike(strikes: Record<number, Omit<FaultRule, 'operation' | 'times'>>) {
	onArrival = (arrived) => {
		if (arrived !== operation) return;
		const fault = strikes[arrivalsOf(operation).length];
		sandbox.faults.set(fault ? [{ ...fault, operation, times: 1 }] : []);
	};
}

const settings = ['stopWorkflow', 'continueRegularOutput'] as const;
test.each(settings)('a run that is cancelled reads no more items: %s', async (onError) => {
	const cancelled = new AbortController();
	const evaluated = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
	let before = NaN;
	jest.spyOn(n8nLogger(), 'info').mockImplementation((text: string) => {
		if (!text.includes('begins with')) return;
		before = evaluated.mock.calls.length;
		cancelled.abort();
	});
	await create({ items: namedRows(1000), nodeSettings: { onError }, cancel: cancelled.signal });
	expect(evaluated.mock.calls.length - before).toBe(0);
	expect(arrivals).toEqual([]);
});

describe('under "Stop"', () => {
	test('no request starts after a failure, and the error says which rows are in the service', async () => {
		strike({ 4: { fault: 'resetAfter' } });
		const { error } = await create({ items: namedRows(10) });
		expect(error?.message).toMatch(
			/^May already have .*\(No response from .* \[row 4 \(item 3\)\]$/,
		);
		expect(inService()).toEqual(once(0, 1, 2, 3));
		expect(error?.description).toContain(
			`Already processed, do not resend: rows 1–3 (items 0–2; shiftScheduleID ${idOf('row 0')}–${idOf('row 2')}).`,
		);
		expect(error?.description).toContain('look them up first: row 4 (item 3).');
		expect(error?.description).toContain('Not processed: rows 5–10 (items 4–9).');
	});

	test('a request waiting for its next try is not sent, nor blamed for stopping the run', async () => {
		// The first write goes alone.
		strike({
			2: { fault: 'refuse', status: 429, retryAfter: 3600 },
			3: { fault: 'refuse', status: 400 },
		});
		const { error } = await create({
			items: namedRows(3),
			options: { parallelRequests: 2, maxTries: 4, maxWait: 86_400 },
		});
		expect(error?.message).toMatch(/status 400 \[row 3 \(item 2\)\]$/);
		expect(error?.description).toContain('Not processed: rows 2–3 (items 1–2).');
		expect(arrivalsOf(operation)).toHaveLength(3);
	});

	test('items that break the same rule are reported together, and nothing is sent', async () => {
		const items = Array.from({ length: 12 }, (_, n) => ({ name: 'A', day: `2026-02-${30 + n}` }));
		const fields = { ...aDay, name: '={{ $json.name }}', fromDate: '={{ $json.day }}' };
		const { error } = await create({ items, parameters: { fields } });
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toMatch(
			/^Nothing was sent: 12 of 12 .*\. 'From Date': "2026-02-30" \[row 1 \(item 0\)\], "2026-02-31" .* and 9 more, but must be a date and time that exists\.$/,
		);
		// About eight lines of n8n's panel.
		expect(error!.message.length).toBeLessThanOrEqual(600);
		expect(arrivals).toEqual([]);
	});
});

describe('"Retry On Fail"', () => {
	beforeEach(() => time.skipPauses());
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	test('the second try continues where the first stopped', async () => {
		strike({ 4: { fault: 'refuse', status: 400 }, 7: { fault: 'refuse', status: 403 } });
		const { json, error, hints } = await create({ items: namedRows(10), nodeSettings: retry });
		expect(error).toBeUndefined();
		// All rows are sent in the end, in whichever try.
		expect(hints).toEqual([]);
		expect(inService()).toEqual(once(...upTo(10)));
		expect(json.map(({ shiftScheduleID }) => shiftScheduleID)).toEqual(
			upTo(10).map((n) => idOf(`row ${n}`)),
		);
	});

	test('rows sent in any try count as sent, even if n8n mistakes a row for an error', async () => {
		const { json, hints } = await create({
			items: namedRows(4).map((item) => ({ ...item, error: 'of a row' })),
			options: { include: 'inputItem' },
			nodeSettings: { ...retry, onError: 'continueRegularOutput' },
		});
		expect([json.length, hints]).toEqual([4, []]);
		expect(arrivalsOf(operation)).toHaveLength(4);
	});

	test.each([
		['is in doubt', 'resetAfter', /No response.*\[row 4 \(item 3\)\]$/],
		['was accepted, but has no readable reply', 'emptyResponse', /is empty.*\[row 4 \(item 3\)\]$/],
	] as const)('an item that %s is not resent; the others are', async (_, fault, message) => {
		strike({ 4: { fault } });
		const { error } = await create({ items: namedRows(10), nodeSettings: retry });
		expect(inService()).toEqual(once(...upTo(10)));
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/do not resend: rows 1–(10|3, 5–10) /);
	});

	const ways = ['continueRegularOutput', 'continueErrorOutput'] as const;
	test.each(ways)('%s: n8n also repeats a node whose first output is an error', async (onError) => {
		strike({ 1: { fault: 'refuse', status: 409 }, 2: { fault: 'resetAfter' } });
		const { json, errorItems, hints } = await create({
			items: namedRows(4),
			nodeSettings: { ...retry, onError },
		});
		expect(inService()).toEqual(once(0, 1, 2, 3));
		expect(hints.at(-1)).toMatch(
			/failed: in doubt \[row 2 \(item 1\)\]\. 1 record may be there already: look before you resend\. Running .*resend every row: /,
		);
		const failed = [...json, ...errorItems.map((item) => item.json)].filter(
			(item) => 'error' in item,
		);
		expect(failed).toMatchObject([
			{ message: expect.stringMatching(/\[row 2 \(item 1\)\]$/), error: { outcome: 'inDoubt' } },
		]);
		expect(arrivalsOf(operation)).toHaveLength(5);
	});

	test('items that are invalid in a later try do not hide the rows sent in the first', async () => {
		strike({ 2: { fault: 'refuse', status: 400 } });
		const items = namedRows(3);
		let tries = 0;
		const node = new AgencyShiftSchedules();
		const { error } = await create({
			node: {
				...node,
				async execute(this: IExecuteFunctions) {
					if (++tries > 1) for (const { json } of this.getInputData()) json.name = {};
					return node.execute.call(this);
				},
			},
			items,
			nodeSettings: retry,
		});
		expect(error?.message).toMatch(/^'Name' is \{\}, but must be text \[rows 2–3 \(items 1–2\)\]$/);
		expect(error?.description).toContain('Nothing more was sent.');
		expect(error?.description).toContain('Already processed, do not resend: row 1 (item 0; ');
		expect(inService()).toEqual(once(0));
	});

	test('another execution with the same items sends them again', async () => {
		const items = namedRows(2).map((json) => ({ json }));
		await create({ items, nodeSettings: retry });
		await create({ items, nodeSettings: retry });
		expect(inService()).toEqual({ 'row 0': 2, 'row 1': 2 });
	});

	test("as an AI agent's tool, each call is a separate run, and its tries belong together", async () => {
		// n8n passes the agent's execute data to all calls, and one separate item to each.
		const executeData = { node: { name: 'Agent' } };
		const call = (json: { name: string }) => async () => {
			let failure: unknown;
			await create({
				node: {
					...new AgencyShiftSchedules(),
					async execute(this: IExecuteFunctions) {
						const ctx = Object.create(this, {
							getExecuteData: { value: () => executeData },
							getInputData: { value: () => [{ json }] },
						}) as IExecuteFunctions;
						return [await run(ctx, shiftSchedules, false)];
					},
				},
				items: [json],
				nodeSettings: retry,
			}).then(({ error }) => (failure = error));
			return failure;
		};
		strike({ 2: { fault: 'resetAfter' } });
		const first = call({ name: 'row 0' });
		const second = call({ name: 'row 1' });
		const third = call({ name: 'row 1' });
		expect(await first()).toBeUndefined();
		expect(await second()).toMatchObject({ message: expect.stringMatching(/No response/) });
		expect(await third()).toBeUndefined();
		// Twice, since the agent asked twice. Its first call was tried three times and sent once.
		expect(inService()).toEqual({ 'row 0': 1, 'row 1': 2 });
	});
});
