// Every kind of fault × every kind of operation, once and permanently, under each setting of "On Error": the node's
// claim is compared with the service's records, and nothing that n8n keeps contains a secret.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import type { IDataObject, INode } from 'n8n-workflow';

import { sandboxCredential } from '../../n8n-in-process/sandboxCredential.mts';
import { faultKinds } from '../../sandbox/faultKinds.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { runNode, credentialStoreWith, type RunResult } from '../harness/run.cts';
import { nextTurn } from '../harness/eventLoop.cts';
import { useVirtualTime, type VirtualTime } from '../harness/virtualTime.cts';
import { countWrites, sampleOperations, type SampleOperation } from './operations.cts';
import { collectLogs, leaks, secretsOf } from './secrets.cts';

/** `ok`, or the outcome of the failure. */
type Claim = 'ok' | 'notSent' | 'refused' | 'inDoubt' | 'unreadable';

interface Expected {
	/** The number of sent requests. */
	requests: number;
	/** The outcome that the node reports. */
	claim: Claim;
}

/** A bare write is proved by its status alone; any other operation needs the response's body. */
type ExpectedByOperation = Record<'read' | 'delete' | 'write' | 'bareWrite', Expected> & {
	/** For the bare write whose response has a body anyway, if it differs. */
	update?: Expected;
};

interface FaultCase {
	fault: FaultRule;
	/** When it strikes once. */
	once: ExpectedByOperation;
	/** When it strikes every time; there are two tries at most. */
	always: ExpectedByOperation;
}

const after = (requests: number, claim: Claim): Expected => ({ requests, claim });
const each = (expected: Expected): ExpectedByOperation => ({
	read: expected,
	delete: expected,
	write: expected,
	bareWrite: expected,
});
const onceAndAlways = (expected: ExpectedByOperation) => ({ once: expected, always: expected });

const succeeds = after(1, 'ok');
const succeedsAgain = after(2, 'ok');
const isRefused = after(1, 'refused');
const isRefusedAgain = after(2, 'refused');
const isInDoubt = after(1, 'inDoubt');
const isDone = after(1, 'unreadable');

const refused = onceAndAlways(each(isRefused));
const notProcessed = { once: each(succeedsAgain), always: each(isRefusedAgain) };
const perhapsProcessed = {
	once: { ...each(isInDoubt), read: succeedsAgain, delete: succeedsAgain },
	always: { ...each(isInDoubt), read: isRefusedAgain, delete: after(2, 'inDoubt') },
};
const refusedUnlessWritten = onceAndAlways({ ...each(isInDoubt), read: isRefused });
/** The status shows that it was processed, but the rest of the response cannot be read. */
const unreadable = { read: isRefused, delete: succeeds, write: isDone };

const unread = (
	fault: FaultRule['fault'],
	writes: Partial<ExpectedByOperation> & Pick<ExpectedByOperation, 'bareWrite'>,
): FaultCase => ({ fault: { fault }, ...onceAndAlways({ ...unreadable, ...writes }) });

/** Each status before and after processing, with a time to wait and without. */
const beforeAndAfter = (
	statuses: number[],
	expected: Pick<FaultCase, 'once' | 'always'>,
): FaultCase[] =>
	statuses.flatMap((status) =>
		(['refuse', 'failAfter'] as const).flatMap((fault) =>
			[{}, { retryAfter: 0 }].map((wait) => ({ fault: { fault, status, ...wait }, ...expected })),
		),
	);

/** Milliseconds; the node's Timeout ends first. */
const forever = 3_600_000;

const faultCases: FaultCase[] = [
	...[400, 403, 404, 409].map((status) => ({
		fault: { fault: 'refuse', status } as const,
		...refused,
	})),
	{ fault: { fault: 'refuse', status: 429 }, ...notProcessed },
	{ fault: { fault: 'refuse', status: 429, retryAfter: 0 }, ...notProcessed },
	// Statuses that a service, or something in front of it, may return before and after processing.
	...beforeAndAfter([303], refusedUnlessWritten),
	...beforeAndAfter([408, 500, 502, 503, 504, 507, 520, 599], perhapsProcessed),
	...[200, 202, 302].map((status) => ({
		fault: { fault: 'failAfter', status } as const,
		...refusedUnlessWritten,
	})),
	// The token is renewed, and the request retried. Two successive refusals of fresh tokens are final.
	{ fault: { fault: 'expireToken' }, once: notProcessed.once, always: each(after(3, 'refused')) },
	{ fault: { fault: 'resetBefore' }, ...perhapsProcessed },
	{ fault: { fault: 'resetAfter' }, ...perhapsProcessed },
	{ fault: { fault: 'delayBefore', milliseconds: forever }, ...perhapsProcessed },
	{ fault: { fault: 'echo' }, ...perhapsProcessed },
	// From here on, the status has arrived and the fault is in the body, which a 204 does not have.
	{
		fault: { fault: 'cutOff' },
		once: { ...unreadable, read: succeedsAgain, bareWrite: isInDoubt },
		always: { ...unreadable, read: isRefusedAgain, bareWrite: isInDoubt },
	},
	{
		fault: { fault: 'trickle', milliseconds: forever },
		once: { ...unreadable, read: succeedsAgain, bareWrite: succeeds, update: isInDoubt },
		always: { ...unreadable, read: isRefusedAgain, bareWrite: succeeds, update: isInDoubt },
	},
	unread('webPage', { write: isInDoubt, bareWrite: isInDoubt }),
	unread('emptyResponse', { bareWrite: succeeds }),
];

function expectedOf(
	expected: ExpectedByOperation,
	{ kind, method, needsBody }: SampleOperation,
): Expected {
	if (method === 'GET') return expected.read;
	if (method === 'DELETE') return expected.delete;
	const ofBare = (kind === 'update' && expected.update) || expected.bareWrite;
	const { requests, claim } = needsBody ? expected.write : ofBare;
	// The status says nothing about the paths of a bulk patch, nor whether the record of an upload has its file.
	const needsProof = ['bulk patch', 'upload'].includes(kind);
	return { requests, claim: needsProof && claim === 'unreadable' ? 'inDoubt' : claim };
}

type Station = Awaited<ReturnType<typeof open>>;

/** One kind of operation, with a service of its own. */
async function open(operation: SampleOperation) {
	const arrivals: string[] = [];
	const done: string[] = [];
	let check = () => {};
	const sandbox = await startSandbox({
		onArrival: (operation) => void arrivals.push(operation),
		onDone(operation) {
			done.push(operation);
			check();
		},
	});
	let requestsRead = 0;
	const beforeHandling = sandbox.faults.beforeHandling.bind(sandbox.faults);
	sandbox.faults.beforeHandling = async (request) => {
		if (sandbox.faults.struckBy(request)) requestsRead++;
		await beforeHandling(request);
	};
	return {
		sandbox,
		operation,
		/** The number of the service's writes. */
		writes: countWrites(sandbox),
		arrivals,
		credentials: credentialStoreWith(sandboxCredential(sandbox.url)),
		/** The number of n8n's log lines that were searched for this station's secrets. */
		searchedLines: 0,
		/** The number of struck requests that the service has read. */
		requestsRead: () => requestsRead,
		/** Requests the service is done with. */
		done,
		/** Waits until this many requests are done. */
		async isDoneWith(count: number) {
			while (done.length < count) await new Promise<void>((resolve) => (check = resolve));
		},
	};
}

/** The outcome that the node reports for its item, in its output or in the error that stopped it. */
function claimOf({ json, errorItems, error }: RunResult, { method }: SampleOperation): string {
	const failed = errorItems[0]?.json ?? json.find((item) => 'error' in item);
	if (failed) return (failed.error as IDataObject).outcome as string;
	if (!error) return 'ok';
	if (method === 'GET') return 'refused';
	return /Not processed: row 1 \(item 0\)\./.test(error.description ?? '') ? 'refused' : 'in doubt';
}

/** A stopped run says only whether the item is in doubt. */
const expectedClaim = (claim: Claim, onError: INode['onError']): string =>
	onError === 'stopWorkflow' && (claim === 'inDoubt' || claim === 'unreadable')
		? 'in doubt'
		: claim;

const agrees = (claim: Claim, writes: number, method: string): boolean => {
	if (method === 'GET' || claim === 'refused' || claim === 'notSent') return writes === 0;
	// Archiving an archived record changes nothing.
	if (method === 'DELETE') return claim === 'ok' ? writes >= 1 : true;
	return claim === 'inDoubt' ? writes <= 1 : writes === 1;
};

/** Each test's name with its plan. */
const plans = faultCases.flatMap(({ fault, once, always }) =>
	[
		{ often: 'once', fault: { ...fault, times: 1 }, expected: once },
		{ often: 'always', fault, expected: always },
	].map((plan) => {
		const note = fault.retryAfter === undefined ? '' : 'with Retry-After';
		return [[...Object.values(plan.fault), note, plan.often].join(' '), plan] as const;
	}),
);

/** Seconds a request may take. */
const timeout = 60;

/** Lets each request of a run time out as soon as the fault keeps it from getting a response. */
async function passTimeouts(
	time: VirtualTime,
	isStruck: () => number,
	run: Promise<unknown>,
): Promise<void> {
	let isOver = false;
	void run.finally(() => (isOver = true));
	for (let seen = isStruck(); !isOver; await nextTurn()) {
		if (isStruck() === seen) continue;
		seen = isStruck();
		time.pass(timeout * 1000);
		// A deadline may be half a second late. In small steps, so that what it ends can still say how far it got.
		for (let step = 0; step < 6; step++) {
			time.pass(100);
			for (let turn = 0; turn < 5; turn++) await nextTurn();
		}
	}
}

const time = useVirtualTime({ skipsPauses: true });
let stations: Station[] = [];
const logs = collectLogs();

/** Responses whose status has arrived, except to sign-ins. */
let responsesBegun = 0;
const countResponse = (message: unknown) => {
	const { request } = message as { request: ClientRequest };
	if (!request.path.startsWith('/auth')) responsesBegun++;
};

beforeAll(async () => {
	stations = await Promise.all(sampleOperations.map(open));
	subscribe('http.client.response.finish', countResponse);
});
afterAll(async () => {
	unsubscribe('http.client.response.finish', countResponse);
	await Promise.all(stations.map(({ sandbox }) => sandbox.close()));
});

async function runUnderFault(
	{ sandbox, operation, credentials, requestsRead }: Station,
	fault: FaultRule,
	onError: INode['onError'],
): Promise<RunResult> {
	sandbox.faults.set([fault]);
	const run = runNode({
		node: operation.node,
		parameters: { ...operation.parameters, options: { maxTries: 2, timeout } },
		items: operation.items,
		credentials,
		nodeSettings: { onError },
	});
	if (fault.fault === 'delayBefore') await passTimeouts(time, requestsRead, run);
	if (fault.fault === 'trickle') await passTimeouts(time, () => responsesBegun, run);
	return await run;
}

async function strike(station: Station, fault: FaultRule, onError: INode['onError']) {
	const { sandbox, operation, writes, arrivals, done, credentials } = station;
	const secretsBefore = secretsOf(credentials);
	writes.count = 0;
	arrivals.length = 0;
	done.length = 0;
	const result = await runUnderFault(station, fault, onError);
	// The service may continue after the node has given up; a dropped request is never finished.
	const dropped = fault.fault === 'resetBefore' ? (fault.times ?? Infinity) : 0;
	const requests = arrivals.filter((arrival) => arrival === operation.name).length;
	await station.isDoneWith(arrivals.length - Math.min(dropped, requests));
	sandbox.faults.set([]);
	const lines = logs.slice(station.searchedLines).join('\n');
	station.searchedLines = logs.length;
	return {
		requests,
		claim: claimOf(result, operation),
		writes: writes.count,
		leaks: leaks(result.saved + lines, [...secretsBefore, ...secretsOf(credentials)]),
	};
}

test('every kind of fault is among the cases', () => {
	const covered = new Set(faultCases.map(({ fault: { fault } }) => fault));
	expect([...covered].sort()).toEqual([...faultKinds].sort());
});

const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

describe.each(settings)('On Error: %s', (onError) => {
	test.each(plans)('%s', async (_, plan) => {
		const actual: Record<string, unknown> = {};
		const expected: Record<string, unknown> = {};
		const strikeAndKeep = async (station: Station) => {
			const { operation } = station;
			const { requests, claim } = expectedOf(plan.expected, operation);
			const { writes, ...seen } = await strike(station, plan.fault, onError);
			actual[operation.kind] = { ...seen, agrees: agrees(claim, writes, operation.method) };
			expected[operation.kind] = {
				requests,
				claim: expectedClaim(claim, onError),
				leaks: [],
				agrees: true,
			};
		};
		// Time would pass for all of them at once.
		if (plan.fault.milliseconds === undefined) await Promise.all(stations.map(strikeAndKeep));
		else for (const station of stations) await strikeAndKeep(station);
		expect(actual).toEqual(expected);
	});
});
