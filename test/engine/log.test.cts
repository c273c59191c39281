// A run's lines in n8n's log: one at its start and end, one each half minute, and the report of a cancelled run. They
// never contain an item's values or a secret.
import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyRecordsApi } from '../../credentials/AgencyRecordsApi.credentials';
import { singleNodeCredentials } from '../../n8n-in-process/singleNode.mts';
import { manualTriggerType, runWorkflow, workflowOf } from '../../n8n-in-process/workflow.mts';
import { createSchedules, namedRows, type CreateOptions } from '../harness/createSchedules.cts';
import { logLevels, n8nLogger, type LogLevel } from '../harness/n8nLogger.cts';
import { readShifts } from '../harness/readShifts.cts';
import { continueOnFail } from '../harness/run.cts';
import { useSandbox } from '../harness/useSandbox.cts';
import { useVirtualTime } from '../harness/virtualTime.cts';
import { aDay } from '../harness/aDay.mts';

const time = useVirtualTime();
let onArrival: (operation: string) => void = () => {};
const sandbox = useSandbox({ each: 'test', onArrival: (operation) => onArrival(operation) });

let lines: Array<{ level: LogLevel; text: string; about: object }>;
beforeEach(() => {
	lines = [];
	onArrival = () => {};
	for (const level of logLevels) {
		jest.spyOn(n8nLogger(), level).mockImplementation((text: string, about: object = {}) => {
			lines.push({ level, text, about });
		});
	}
});
/** Only the nodes' lines: n8n itself logs the errors of nodes at debug level. */
const ofNodes = () => lines.filter(({ text }) => text.startsWith('Node: '));
const logged = (wanted: LogLevel) =>
	ofNodes().flatMap(({ level, text }) => (level === wanted ? text.replace('Node: ', '') : []));

const create = ({ options, ...more }: CreateOptions = {}) =>
	createSchedules(sandbox.credentials(), {
		items: namedRows(20),
		options: { maxTries: 4, ...options },
		...more,
	});
const operation = 'createShiftSchedule';

/** The entry that n8n saves with an execution, without the sandbox's address. */
const entryIn = ({ resultData }: { resultData: { metadata?: Record<string, string> } }) => {
	const { Agency_Records: entry, ...others } = resultData.metadata ?? {};
	expect(others).toEqual({});
	return entry?.replaceAll(/ at 127\.0\.0\.1:\d+/g, '');
};

test('one line reports the start of a run, and one its result', async () => {
	const { hints, data } = await create();
	time.pass(3_600_000);
	expect(hints).toEqual([]);
	expect(logged('info')).toEqual([
		'begins with 20 items: POST /agencyshiftschedules/shiftschedules',
		expect.stringMatching(
			/^as chief at 127\.0\.0\.1:\d+; 20 of 20 items in [\d.]+ seconds?; 20 tries; held up for 0 seconds; 20 sent$/,
		),
	]);
	expect(logged('warn')).toEqual([]);
	const ids = { workflowId: 'workflow', executionId: expect.stringMatching(/run/) };
	expect(ofNodes().map(({ about }) => about)).toEqual([ids, ids]);
	expect(entryIn(data)).toBe('as chief: 20 sent');
});

describe('saved with the execution', () => {
	test.each([
		['stopWorkflow', '20 failed: 1 refused [row 1 (item 0)], 19 not sent [rows 2–20 (items 1–19)]'],
		[
			'continueRegularOutput',
			'18 sent, 2 failed: 1 in doubt [row 2 (item 1)], 1 refused [row 1 (item 0)]',
		],
	] as const)('are the failed items (%s)', async (onError, failed) => {
		sandbox.faults.set([
			{ fault: 'refuse', status: 429, operation, retryAfter: 1, times: 2 },
			{ fault: 'refuse', status: 409, operation, times: 1 },
			{ fault: 'resetAfter', operation, times: 1 },
		]);
		time.skipPauses();
		const { data } = await create({ nodeSettings: { onError }, options: { parallelRequests: 1 } });
		expect(entryIn(data)).toBe(`as chief: Node: ${failed}`);
	});

	test("is the result of a run's last try", async () => {
		sandbox.faults.set([{ fault: 'refuse', status: 409, operation, times: 1 }]);
		time.skipPauses();
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { data, error } = await create({ nodeSettings: retry });
		expect([error, entryIn(data)]).toEqual([undefined, 'as chief: 20 sent']);
	});

	test('are the sum of all nodes and turns, and the rows of those with failures, the latest first', async () => {
		const type = 'n8n-nodes-agency-records.agencyShiftSchedules';
		const node = (name: string) => ({
			name,
			type,
			parameters: { fields: { ...aDay, name: 'A' }, options: { parallelRequests: 1 } },
			credentials: singleNodeCredentials,
			onError: 'continueRegularOutput' as const,
		});
		let arrived = 0;
		onArrival = (what) => {
			if (what !== operation) return;
			const fault = { fault: 'refuse' as const, status: 409, operation, times: 1 };
			sandbox.faults.set([2, 3].includes(++arrived) ? [] : [fault]);
		};
		const names = ['Create (A)', 'Create', 'Create [A]'];
		const steps = [{ name: 'Start', type: manualTriggerType }, ...names.map(node)];
		const file = workflowOf('Many nodes', steps, { pinData: { Start: [{ json: {} }] } });
		// A second turn of the last two nodes.
		file.connections['Start']!.main![0]!.push({ node: 'Create', type: 'main', index: 0 });
		const { run } = await runWorkflow(file, {
			nodeTypes: { [type]: new AgencyShiftSchedules() },
			credentialTypes: [new AgencyRecordsApi()],
			credentials: sandbox.credentials(),
		});
		const failed = '1 failed: refused [row 1 (item 0)]';
		expect(entryIn(run.data)).toBe(
			`as chief: 2 sent, 3 failed: refused; Create [A] (run 2): ${failed}; Create (run 2): ${failed}; Create (A): ${failed}`,
		);
	});

	test.each([
		['stopWorkflow', '1 sent'],
		['continueRegularOutput', 'Node: 1 failed: refused [row 1 (item 0)]'],
	] as const)('is what a hint says of lost records, as in the log (%s)', async (onError, rows) => {
		if (onError !== 'stopWorkflow')
			sandbox.faults.set([{ fault: 'refuse', status: 409, operation, times: 1 }]);
		const { data } = await create({ nodeSettings: { executeOnce: true, onError } });
		expect(entryIn(data)).toBe(`as chief: ${rows}; 'Execute Once' left rows out`);
		expect(logged('info').at(-1)).toMatch(/; 'Execute Once' left rows out$/);
	});

	test('is nothing of a read, unless it fails', async () => {
		const entryOfRead = async () => {
			const more = { nodeSettings: continueOnFail };
			return entryIn((await readShifts(sandbox.credentials(), 1, more)).data);
		};
		expect(await entryOfRead()).toBeUndefined();
		sandbox.faults.set([{ fault: 'refuse', status: 403, operation: 'getShift', times: 1 }]);
		expect(await entryOfRead()).toBe('as chief: Node: 1 failed: refused [row 1 (item 0)]');
	});
});

test('a run held up by the service is reported while it waits and afterwards', async () => {
	sandbox.faults.set([{ fault: 'refuse', status: 429, retryAfter: 61, operation, times: 1 }]);
	const running = create({ options: { parallelRequests: 1 } });
	await time.pauseBegins();
	time.pass(40_000);
	expect(logged('info').slice(1)).toEqual([
		expect.stringMatching(
			/^as chief at \S+; 0 of 20 items in 30 seconds; 1 try, failed: 1 with status 429; held up for [23]\d seconds$/,
		),
	]);
	time.pass(21_000);
	const { hints } = await running;
	expect(hints).toEqual([expect.stringMatching(/^This run waited 6\d seconds for the service\.$/)]);
	expect(logged('info').at(-1)).toMatch(
		/^as chief at \S+; 20 of 20 items in 6\d seconds; 21 tries, failed: 1 with status 429; held up for 6\d seconds; 20 sent$/,
	);
});

/** @returns a signal that is aborted as the nth request of an operation arrives */
function cancelledAt(requested: string, nth = 1): AbortSignal {
	const stop = new AbortController();
	let arrived = 0;
	onArrival = (what) => void (what === requested && ++arrived === nth && stop.abort());
	return stop.signal;
}

describe('a cancelled run', () => {
	const ways = ['stopWorkflow', 'continueRegularOutput'] as const;
	test.each(ways)('reports its rows in the log and the saved execution (%s)', async (onError) => {
		const node = new AgencyShiftSchedules();
		let saved: object | undefined;
		node.execute = async function () {
			type Execution = { customData: { getAll: () => object } };
			const $execution = this.getWorkflowDataProxy(0).$execution as Execution;
			const running = AgencyShiftSchedules.prototype.execute.call(this);
			// n8n saves it right after notifying the node.
			const onAbort = () => (saved = { ...$execution.customData.getAll() });
			this.getExecutionCancelSignal()!.addEventListener('abort', onAbort);
			return await running;
		};
		const cancel = cancelledAt(operation, 5);
		const options = { parallelRequests: 1 };
		const { data } = await create({ node, cancel, options, nodeSettings: { onError } });
		expect(logged('warn')).toEqual([
			expect.stringMatching(
				/^the execution was cancelled\. Already processed, do not resend: rows 1–4 \(items 0–3; shiftScheduleID \d+–\d+\)\. May or may not have been processed, look them up first: row 5 \(item 4\)\. Not processed: rows 6–20 \(items 5–19\)\.$/,
			),
		]);
		expect(entryIn(data)).toBe(
			'as chief: Node: 4 sent, 16 failed: 1 in doubt [row 5 (item 4)], 15 not sent [rows 6–20 (items 5–19)]',
		);
		expect(saved).toEqual(data.resultData.metadata);
	});

	test('of a read reports nothing, since nothing was changed', async () => {
		const cancel = cancelledAt('getShift');
		const { data } = await readShifts(sandbox.credentials(), 1, { cancel });
		expect(cancel.aborted).toBe(true);
		expect(logged('warn')).toEqual([]);
		expect(data.resultData.metadata).toBeUndefined();
	});
});

describe("no line contains an item's values", () => {
	const canary = 'CANARY7731';
	const isTold = () => JSON.stringify(ofNodes()).includes(canary);

	test.each([
		['when all goes well', []],
		['when the service repeats it', [{ fault: 'refuse', status: 400 } as const]],
		['when connections break', [{ fault: 'resetAfter' } as const]],
	])('%s', async (_, faults) => {
		sandbox.faults.set(faults.map((fault) => ({ ...fault, operation, times: 2 })));
		time.skipPauses();
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			await create({
				items: [{ name: canary }, { name: canary, key: canary, [canary]: canary }],
				parameters: { specifyFields: 'inputItem' },
				nodeSettings: { onError },
				options: { sendOnceKey: `=${canary}{{ $itemIndex }}`, etag: canary },
			});
		}
		expect(ofNodes().length).toBeGreaterThan(0);
		expect(isTold()).toBe(false);
	});

	test('when paths of a bulk item differ and the run is cancelled', async () => {
		await sandbox.run({
			node: new AgencyLicenses(),
			parameters: {
				op: 'replace',
				path: {
					entries: [
						{ path: '=/licenses/{{ 101 + $itemIndex }}' },
						{ path: `=/licenses/${canary}{{ $itemIndex }}` },
					],
				},
				value: { entries: [{ userID: 7 }] },
				options: { batchSize: 1, parallelRequests: 1 },
			},
			items: [{}, {}],
			nodeSettings: continueOnFail,
			cancel: cancelledAt('patchLicenses', 2),
		});
		expect(logged('warn')[0]).toContain('Partly processed, look them up: row 1 (item 0).');
		expect(ofNodes().length).toBeGreaterThan(0);
		expect(isTold()).toBe(false);
	});
});
