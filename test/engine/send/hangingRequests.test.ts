// One run's requests that hang hold up no other run. Time passes only when a test says so.
import type { ServerResponse } from 'node:http';

import type { INodeType } from 'n8n-workflow';

import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import type { CredentialStore } from '../../../n8n-in-process/credentials.mts';
import { runNode, type RunOptions, type RunResult } from '../../harness/run';
import { startFakeService, type FakeService } from '../../harness/server';
import { comeToRest } from '../../harness/turns';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime();
let service: FakeService;
let credentials: CredentialStore;
const hanging: ServerResponse[] = [];
/** What does not hang, and is answered when a test says so. */
const answerable: ServerResponse[] = [];
let hangs: (url: string) => boolean;
/** Ends all runs of a test that are still under way. */
let cancel: AbortController;
const runs: Array<Promise<RunResult>> = [];

beforeEach(async () => {
	hangs = (url) => !url.includes('shiftschedules');
	cancel = new AbortController();
	hanging.length = answerable.length = 0;
	service = await startFakeService((request, response) => {
		(hangs(request.url!) ? hanging : answerable).push(response);
	});
	credentials = credentialsFor(service.url);
});
afterEach(async () => {
	cancel.abort();
	await comeToRest();
	time.pass(1000);
	await Promise.all(runs.splice(0));
	await service.close();
});

function begin(node: INodeType, options: Omit<RunOptions, 'node' | 'credentials'>) {
	const run = runNode({ node, credentials, cancel: cancel.signal, ...options });
	runs.push(run);
	return run;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ id: n + 1 }));
const file = { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain', fileName: 'x' };

const beginReads = (count: number, options: object = {}) =>
	begin(new AgencyShifts(), {
		parameters: { shiftID: '={{ $json.id }}', options: { ...options } },
		items: numbered(count),
	});
const beginUploads = (count: number) =>
	begin(new AgencyFiles(), {
		parameters: {},
		items: numbered(count).map((json) => ({ json, binary: { data: file } })),
	});
const beginCreates = (count: number) =>
	begin(new AgencyShiftSchedules(), {
		parameters: { fields: { name: 'A' } },
		items: numbered(count),
	});

/** Answers the 20 creates together, as often as some have come, and gives how often. */
async function answerCreates(): Promise<number> {
	let rounds = 0;
	for (let answered = 0, turns = 0; answered < 20; turns++) {
		await comeToRest();
		if (turns > 100) throw new Error(`Only ${answered} creates came`);
		if (answerable.length === 0) continue;
		rounds++;
		answered += answerable.length;
		for (const response of answerable.splice(0)) {
			response.writeHead(201).end('{"shiftScheduleID":1}');
		}
	}
	return rounds;
}

const roundsAlone = async () => {
	const alone = await startFakeService((_, response) => answerable.push(response));
	const run = runNode({
		node: new AgencyShiftSchedules(),
		parameters: { fields: { name: 'A' } },
		items: numbered(20),
		credentials: credentialsFor(alone.url),
	});
	const rounds = await answerCreates();
	await run;
	await alone.close();
	return rounds;
};

describe.each([
	['reads', beginReads],
	['uploads', beginUploads],
] as const)('beside 40 %s that hang', (_, beginHanging) => {
	test('20 creates need at most twice as many rounds of answers as alone', async () => {
		const alone = await roundsAlone();
		void beginHanging(40);
		await comeToRest();
		expect(hanging.length).toBeGreaterThan(0);
		const run = beginCreates(20);
		const rounds = await answerCreates();
		expect(answerable).toHaveLength(0);
		expect(rounds).toBeLessThanOrEqual(2 * alone);
		const { json, error } = await run;
		expect([json.length, error]).toEqual([20, undefined]);
	});
});

test('requests that hang let the other requests of their own run go on', async () => {
	hangs = (url) => Number(url.split('/').at(-1)) <= 10;
	const run = beginReads(40);
	await comeToRest();
	expect([hanging.length, answerable.length]).toEqual([10, 0]);
	time.pass(15_000);
	await comeToRest();
	for (let round = 0; round < 20; round++) {
		await comeToRest();
		for (const response of answerable.splice(0)) response.end('{"shift":{"id":1}}');
	}
	expect(service.paths.filter((path) => path.includes('shifts'))).toHaveLength(40);
	for (const response of hanging) response.end('{"shift":{"id":1}}');
	const { json, error } = await run;
	expect([json.length, error]).toEqual([40, undefined]);
});

test('a service that dies gets few requests, not as many as there may be', async () => {
	for (let run = 0; run < 8; run++) void beginReads(100);
	for (let second = 0; second < 290; second++) {
		time.pass(1000);
		await comeToRest();
	}
	expect(hanging.length).toBeGreaterThan(10);
	expect(hanging.length).toBeLessThan(64);
});
