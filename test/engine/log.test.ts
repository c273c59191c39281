// What n8n's log says of a run: one line at its end, one each half minute while it lasts, the account of a run that was
// cancelled. No value of an item and no secret is in it, whatever happens.
import type { IExecuteFunctions } from 'n8n-workflow';

import { AgencyLicenses } from '../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShifts } from '../../nodes/AgencyShifts/AgencyShifts.node';
import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { createSchedules, namedRows, type CreateOptions } from '../harness/createSchedules';
import { logLevels, n8nLogger, type LogLevel } from '../harness/n8nLogger';
import { runNode } from '../harness/run';
import { useSandbox } from '../harness/useSandbox';
import { useVirtualTime } from '../harness/virtualTime';

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
const logged = (level: LogLevel) =>
	lines
		.filter((line) => line.level === level && line.text.startsWith('Node: '))
		.map(({ text }) => text.replace('Node: ', ''));

const create = ({ options, ...more }: CreateOptions = {}) =>
	createSchedules(sandbox.credentials(), {
		items: namedRows(20),
		options: { maxTries: 4, ...options },
		...more,
	});
const operation = 'createShiftSchedule';

/** What lines say besides their texts. */
const facts = () => lines.filter(({ text }) => text.startsWith('Node: ')).map(({ about }) => about);

test('a line says that a run begins, and one how it went', async () => {
	const { hints } = await create();
	time.pass(3_600_000);
	expect(hints).toEqual([]);
	expect(logged('info')).toEqual([
		'begins with 20 items: POST /agencyshiftschedules/shiftschedules',
		expect.stringMatching(
			/^20 items in [\d.]+ seconds?; 20 sent; 20 tries; held up for 0 seconds; 1 sign-in; at most \d+ at once$/,
		),
	]);
	expect(logged('warn')).toEqual([]);
	const ids = { workflowId: 'workflow', executionId: expect.stringMatching(/run/) };
	const begin = { ...ids, operation: 'POST /agencyshiftschedules/shiftschedules', items: 20 };
	const none = {
		alreadySent: 0,
		partly: 0,
		inDoubt: 0,
		awaited: 0,
		unreadable: 0,
		refused: 0,
		notSent: 0,
	};
	const end = { ...begin, ...none, sent: 20, failedTries: {}, heldUpMs: 0 };
	expect(facts()).toEqual([begin, end]);
});

describe('beside the execution', () => {
	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'it is counted what became of the items (%s)',
		async (onError) => {
			sandbox.faults.set([
				{ fault: 'refuse', status: 429, operation, retryAfter: 1, times: 2 },
				{ fault: 'refuse', status: 409, operation, times: 1 },
				{ fault: 'resetAfter', operation, times: 1 },
			]);
			time.skipPauses();
			const { data } = await create({
				nodeSettings: { onError },
				options: { parallelRequests: 1 },
			});
			const isStopped = onError === 'stopWorkflow';
			expect(data.resultData.metadata).toEqual({
				Node: isStopped
					? '20 failed: 1 refused, 19 not sent'
					: '18 sent, 2 failed: 1 in doubt, 1 refused',
			});
			expect(facts().at(-1)).toMatchObject({
				failedTries: { 429: 2 },
				heldUpMs: expect.any(Number),
			});
		},
	);

	test('the runs of a loop are added up', async () => {
		sandbox.faults.set([{ fault: 'refuse', status: 409, operation, times: 1 }]);
		const node = new AgencyShiftSchedules();
		let runIndex = 0;
		node.execute = async function () {
			const inRun = () => {
				const data = { ...this.getWorkflowDataProxy(0), $runIndex: runIndex++ };
				const own = { getWorkflowDataProxy: { value: () => data } };
				return Object.create(this, own) as IExecuteFunctions;
			};
			await AgencyShiftSchedules.prototype.execute.call(inRun());
			return await AgencyShiftSchedules.prototype.execute.call(inRun());
		};
		const { data } = await create({ node, nodeSettings: { onError: 'continueRegularOutput' } });
		expect(data.resultData.metadata).toEqual({ Node: '39 sent, 1 failed: refused' });
	});
});

test('a run that the service holds up says so, while it waits and afterwards', async () => {
	sandbox.faults.set([{ fault: 'refuse', status: 429, retryAfter: 61, operation, times: 1 }]);
	const running = create({ options: { parallelRequests: 1 } });
	await time.pauseBegins();
	time.pass(40_000);
	expect(logged('info').slice(1)).toEqual([
		'0 of 20, 0 in progress, failed tries: 1 with status 429, waiting 31 seconds for the service',
	]);
	time.pass(21_000);
	const { hints } = await running;
	expect(hints).toEqual([expect.stringMatching(/^This run waited 6\d seconds for the service\.$/)]);
	const [summary, hint] = logged('info').slice(-2);
	expect(summary).toMatch(
		/^20 items in 6\d seconds; 20 sent; 21 tries, failed: 1 with status 429; held up for 6\d seconds; /,
	);
	expect(hint).toBe(hints[0]);
});

test('tries that failed are told at debug', async () => {
	sandbox.faults.set([{ fault: 'refuse', status: 429, retryAfter: 1, operation, times: 1 }]);
	time.skipPauses();
	await create();
	expect(logged('debug').filter((text) => text.startsWith('POST'))).toEqual([
		expect.stringMatching(
			/^POST \/agencyshiftschedules\/shiftschedules: status 429 after [\d.]+ seconds?, asks to wait 1 second$/,
		),
	]);
});

/** @returns a signal that is aborted as the nth request of an operation arrives */
function cancelledAt(requested: string, nth = 1): AbortSignal {
	const stop = new AbortController();
	let arrived = 0;
	onArrival = (what) => void (what === requested && ++arrived === nth && stop.abort());
	return stop.signal;
}

describe('a cancelled run', () => {
	const cancelAtFifth = (more: CreateOptions) =>
		create({
			cancel: cancelledAt(operation, 5),
			options: { parallelRequests: 1 },
			...more,
		});
	const account =
		/^the execution was cancelled\. Already processed, do not resend: rows 1–4 \(items 0–3; shiftScheduleID \d+–\d+\)\. May or may not have been processed, look them up first: row 5 \(item 4\)\. Not processed: rows 6–20 \(items 5–19\)\.$/;

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'leaves its account in the log, with On Error %s',
		async (onError) => {
			await cancelAtFifth({ nodeSettings: { onError } });
			expect(logged('warn')).toEqual([expect.stringMatching(account)]);
		},
	);

	/** A node that notes what n8n would save when it is cancelled, which n8n does right after it has told the node. */
	const nodeThatNotes = () => {
		const noted: { saved?: object } = {};
		const node = new AgencyShiftSchedules();
		node.execute = async function () {
			const { $execution } = this.getWorkflowDataProxy(0) as unknown as {
				$execution: { customData: { getAll: () => object } };
			};
			const running = AgencyShiftSchedules.prototype.execute.call(this);
			this.getExecutionCancelSignal()!.addEventListener('abort', () => {
				noted.saved = { ...$execution.customData.getAll() };
			});
			return await running;
		};
		return { node, noted };
	};

	test('leaves it beside the execution in the moment in which n8n saves it', async () => {
		const { node, noted } = nodeThatNotes();
		const { data } = await cancelAtFifth({ node });
		const account =
			'4 sent, 16 failed: 1 in doubt [row 5 (item 4)], 15 not sent [rows 6–20 (items 5–19)]';
		expect(noted.saved).toEqual({ Node: account });
		expect(data.resultData.metadata).toEqual({ Node: account });
	});

	test('of a read has no account: nothing was changed', async () => {
		const cancel = cancelledAt('getShift');
		const { data } = await runNode({
			node: new AgencyShifts(),
			parameters: { shiftID: 101 },
			credentials: sandbox.credentials(),
			cancel,
		});
		expect(cancel.aborted).toBe(true);
		expect(logged('warn')).toEqual([]);
		expect(data.resultData.metadata).toBeUndefined();
	});
});

describe('what was given is in no line', () => {
	const canary = 'CANARY7731';
	/** Lines of the nodes: n8n itself logs the errors of nodes at debug. */
	const ofNodes = () => lines.filter(({ text }) => text.startsWith('Node: '));
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
				items: [{ name: canary }, { name: canary, [`key`]: canary }],
				nodeSettings: { onError },
				options: { sendOnceKey: canary + '={{ $json.name }}', etag: canary },
			});
		}
		expect(ofNodes().length).toBeGreaterThan(0);
		expect(isTold()).toBe(false);
	});

	test('when paths of a bulk item differ and the run is cancelled', async () => {
		await runNode({
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
			credentials: sandbox.credentials(),
			nodeSettings: { onError: 'continueRegularOutput' },
			cancel: cancelledAt('patchLicenses', 2),
		});
		expect(logged('warn')[0]).toContain('Partly processed: row 1 (item 0).');
		expect(ofNodes().length).toBeGreaterThan(0);
		expect(isTold()).toBe(false);
	});
});
