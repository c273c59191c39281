// Every kind of fault × every kind of operation, once and for good, under one setting of "On Error": what the
// node claims is compared with the service's books, and no secret is in anything n8n keeps.
import type { IDataObject, INode } from 'n8n-workflow';

import { sandboxCredential } from '../../runner/sandboxCredential.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { runNode, storeWith, type RunResult } from '../harness/run';
import { countWrites, sampleOperations, type SampleOperation } from './operations';
import { collectLogs, leaks, secretsOf } from './secrets';

/** `ok`, or the outcome of the failure. */
type Claim = 'ok' | 'notSent' | 'refused' | 'unknown' | 'done';

/** Requests that are sent, and what the node says came of it. */
type Cell = [requests: number, claim: Claim];

/** A read; a DELETE; a write whose answer is needed, and one whose is not. */
type Cells = [read: Cell, del: Cell, write: Cell, bare: Cell];

interface Row {
	fault: FaultRule;
	/** When it strikes once. */
	once: Cells;
	/** When it strikes every time; there are two tries at most. */
	always: Cells;
}

const ok1: Cell = [1, 'ok'];
const ok2: Cell = [2, 'ok'];
const no1: Cell = [1, 'refused'];
const no2: Cell = [2, 'refused'];
const no3: Cell = [3, 'refused'];
const doubt1: Cell = [1, 'unknown'];
const doubt2: Cell = [2, 'unknown'];
const done1: Cell = [1, 'done'];

const both = (cells: Cells) => ({ once: cells, always: cells });
const refused = both([no1, no1, no1, no1]);
const perhapsProcessed = {
	once: [ok2, ok2, doubt1, doubt1] as Cells,
	always: [no2, doubt2, doubt1, doubt1] as Cells,
};
const notProcessed = {
	once: [ok2, ok2, ok2, ok2] as Cells,
	always: [no2, no2, no2, no2] as Cells,
};

/** Milliseconds; the node's Timeout ends first. */
const forever = 3_600_000;

const rows: Row[] = [
	...[400, 403, 404, 409].map((status) => ({
		fault: { fault: 'refuse', status } as const,
		...refused,
	})),
	{ fault: { fault: 'redirect' }, ...refused },
	...(['long', 'deep', 'lone'] as const).map((errors) => ({
		fault: { fault: 'refuse', status: 400, errors } as const,
		...refused,
	})),
	// How a service may answer what it has processed.
	{ fault: { fault: 'refuse', status: 303 }, ...both([no1, doubt1, doubt1, doubt1]) },
	{ fault: { fault: 'failAfter', status: 303 }, ...both([no1, doubt1, doubt1, doubt1]) },
	{ fault: { fault: 'refuse', status: 429 }, ...notProcessed },
	{ fault: { fault: 'refuse', status: 429, retryAfter: 0 }, ...notProcessed },
	{ fault: { fault: 'refuse', status: 503, retryAfter: 0 }, ...notProcessed },
	// The token is renewed, and the request sent again. Two fresh tokens in a row that are refused are final.
	{
		fault: { fault: 'expireToken' },
		once: notProcessed.once,
		always: [no3, no3, no3, no3],
	},
	...[500, 502, 503, 504].map((status) => ({
		fault: { fault: 'refuse', status } as const,
		...perhapsProcessed,
	})),
	{ fault: { fault: 'failAfter', status: 500 }, ...perhapsProcessed },
	{ fault: { fault: 'failAfter', status: 504 }, ...perhapsProcessed },
	{ fault: { fault: 'resetBefore' }, ...perhapsProcessed },
	{ fault: { fault: 'resetAfter' }, ...perhapsProcessed },
	{ fault: { fault: 'delayBefore', milliseconds: forever }, ...perhapsProcessed },
	{ fault: { fault: 'echo' }, ...perhapsProcessed },
	...(['php', 'phpTwice', 'percent', 'base64', 'html'] as const).map((encoding) => ({
		fault: { fault: 'echo', encoding } as const,
		...perhapsProcessed,
	})),
	// From here on the status has arrived, and the fault is in the body; a 204 has none.
	{
		fault: { fault: 'cutOff' },
		once: [ok2, ok1, done1, doubt1],
		always: [no2, ok1, done1, doubt1],
	},
	{
		fault: { fault: 'trickle', milliseconds: forever },
		once: [ok2, ok1, done1, ok1],
		always: [no2, ok1, done1, ok1],
	},
	{ fault: { fault: 'hugeAnswer' }, ...both([no1, ok1, done1, doubt1]) },
	{ fault: { fault: 'deepAnswer' }, ...both([no1, ok1, done1, doubt1]) },
	{ fault: { fault: 'webPage' }, ...both([no1, ok1, doubt1, doubt1]) },
	{ fault: { fault: 'emptyAnswer' }, ...both([no1, ok1, done1, ok1]) },
	{ fault: { fault: 'wrongShape' }, ...both([no1, ok1, done1, ok1]) },
];

function cellOf(cells: Cells, { kind, method, needsAnswer }: SampleOperation): Cell {
	if (method === 'GET') return cells[0];
	const [requests, claim] = method === 'DELETE' ? cells[1] : needsAnswer ? cells[2] : cells[3];
	// The status of a bulk answer says nothing of its paths.
	return [requests, kind === 'bulk patch' && claim === 'done' ? 'unknown' : claim];
}

/** One kind of operation, with a service of its own. */
interface Station {
	sandbox: Sandbox;
	operation: SampleOperation;
	books: { writes: number };
	arrivals: string[];
	credentials: ReturnType<typeof storeWith>;
	/** Of the lines that n8n has logged, those that were searched for this station's secrets. */
	searchedLines: number;
	/** Requests the service is done with. */
	done: string[];
	/** Waits until they are so many. */
	isDoneWith: (count: number) => Promise<void>;
}

async function open(index: number): Promise<Station> {
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
	return {
		sandbox,
		operation: sampleOperations(sandbox)[index]!,
		books: countWrites(sandbox),
		arrivals,
		credentials: storeWith(sandboxCredential(sandbox.url)),
		searchedLines: 0,
		done,
		async isDoneWith(count) {
			while (done.length < count) await new Promise<void>((resolve) => (check = resolve));
		},
	};
}

/** What the node says became of its item, by its output, or by the report of the error that stopped it. */
function claimOf({ json, errorItems, error }: RunResult, { method }: SampleOperation): string {
	const failed = errorItems[0]?.json ?? json.find((item) => 'error' in item);
	if (failed) return (failed.error as IDataObject).outcome as string;
	if (!error) return 'ok';
	if (method === 'GET') return 'refused';
	return /Not processed: item 0\./.test(error.description ?? '') ? 'refused' : 'in doubt';
}

/** A stopped run says only whether the item is in doubt. */
const expectedClaim = (claim: Claim, onError: INode['onError']): string =>
	onError === 'stopWorkflow' && (claim === 'unknown' || claim === 'done') ? 'in doubt' : claim;

const agrees = (claim: Claim, writes: number, method: string): boolean => {
	if (method === 'GET' || claim === 'refused' || claim === 'notSent') return writes === 0;
	// Archiving what is archived changes nothing.
	if (method === 'DELETE') return claim === 'ok' ? writes >= 1 : true;
	return claim === 'unknown' ? writes <= 1 : writes === 1;
};

const plans = rows.flatMap(({ fault, once, always }) => [
	{ often: 'once', fault: { ...fault, times: 1 }, cells: once },
	{ often: 'always', fault, cells: always },
]);

/** Defines the tests of one setting of "On Error". Each setting is a file, so that workers share the work. */
export function testFaults(onError: INode['onError']): void {
	let stations: Station[] = [];
	const logs = collectLogs();
	const searched = { texts: 0, secrets: 0 };
	let cases = 0;

	beforeAll(async () => {
		stations = await Promise.all(Array.from({ length: 8 }, (_, index) => open(index)));
		// The shortest back-off that may be drawn: how long it is does not matter here.
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterAll(async () => {
		jest.restoreAllMocks();
		await Promise.all(stations.map(({ sandbox }) => sandbox.close()));
		console.log(
			`${onError}: ${cases} cases; ${searched.texts} texts searched for ${searched.secrets} secrets`,
		);
	});

	const isSafe = (text: string, secrets: string[]): boolean => {
		if (text === '') return true;
		searched.texts++;
		searched.secrets += secrets.length;
		return leaks(text, secrets).length === 0;
	};

	const strike = async (station: Station, fault: FaultRule, cells: Cells) => {
		const { sandbox, operation, books, arrivals, done, credentials } = station;
		const secretsBefore = secretsOf(credentials);
		books.writes = 0;
		arrivals.length = 0;
		done.length = 0;
		sandbox.faults.set([fault]);
		const timeout = fault.milliseconds === undefined ? 60 : 1;
		const result = await runNode({
			node: operation.node,
			parameters: { ...operation.parameters, options: { maxTries: 2, timeout } },
			items: [operation.item],
			credentials,
			node$: { onError },
		});
		// The service may go on after the node has given up; a request that it drops is never done with.
		const dropped = fault.fault === 'resetBefore' ? (fault.times ?? Infinity) : 0;
		const sent = arrivals.filter((arrival) => arrival === operation.operation).length;
		await station.isDoneWith(arrivals.length - Math.min(dropped, sent));
		sandbox.faults.set([]);
		const [, claim] = cellOf(cells, operation);
		const secrets = [...secretsBefore, ...secretsOf(credentials)];
		const lines = logs.slice(station.searchedLines);
		station.searchedLines = logs.length;
		cases++;
		return [
			operation.kind,
			{
				requests: sent,
				claim: claimOf(result, operation),
				agreesWithTheBooks: agrees(claim, books.writes, operation.method),
				isSafe: isSafe(result.saved, secrets) && isSafe(lines.join('\n'), secrets),
			},
		] as const;
	};

	const expected = ({ operation }: Station, cells: Cells) => {
		const [requests, claim] = cellOf(cells, operation);
		return [
			operation.kind,
			{
				requests,
				claim: expectedClaim(claim, onError),
				agreesWithTheBooks: true,
				isSafe: true,
			},
		] as const;
	};

	test.each(
		plans.map((plan) => [
			[
				...Object.values(plan.fault),
				plan.fault.retryAfter === undefined ? '' : 'with Retry-After',
				plan.often,
			].join(' '),
			plan,
		]),
	)('%s', async (_, { fault, cells }) => {
		const actual = await Promise.all(stations.map((station) => strike(station, fault, cells)));
		expect(Object.fromEntries(actual)).toEqual(
			Object.fromEntries(stations.map((station) => expected(station, cells))),
		);
	});
}
