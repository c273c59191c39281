// Every kind of fault × every kind of operation × the three settings of "On Error", once and for good:
// what the node claims is compared with the service's books, and no secret is in anything n8n keeps.
import { setTimeout as delay } from 'node:timers/promises';

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

const rows: Row[] = [
	...[400, 403, 404, 409].map((status) => ({
		fault: { fault: 'refuse', status } as const,
		...refused,
	})),
	{ fault: { fault: 'redirect' }, ...refused },
	{ fault: { fault: 'refuse', status: 429 }, ...notProcessed },
	{ fault: { fault: 'refuse', status: 429, retryAfter: 0 }, ...notProcessed },
	{ fault: { fault: 'refuse', status: 503, retryAfter: 0 }, ...notProcessed },
	// n8n renews the token and sends once more by itself; a second 401 is final.
	{ fault: { fault: 'expireToken' }, ...notProcessed },
	...[500, 502, 503, 504].map((status) => ({
		fault: { fault: 'refuse', status } as const,
		...perhapsProcessed,
	})),
	{ fault: { fault: 'failAfter', status: 500 }, ...perhapsProcessed },
	{ fault: { fault: 'failAfter', status: 504 }, ...perhapsProcessed },
	{ fault: { fault: 'resetBefore' }, ...perhapsProcessed },
	{ fault: { fault: 'resetAfter' }, ...perhapsProcessed },
	{ fault: { fault: 'delayBefore', milliseconds: 2500 }, ...perhapsProcessed },
	{ fault: { fault: 'echo' }, ...perhapsProcessed },
	// From here on the status has arrived, and the fault is in the body; a 204 has none.
	{
		fault: { fault: 'cutOff' },
		once: [ok2, ok1, done1, doubt1],
		always: [no2, ok1, done1, doubt1],
	},
	{
		fault: { fault: 'trickle', milliseconds: 1000 },
		once: [ok2, ok1, done1, ok1],
		always: [no2, ok1, done1, ok1],
	},
	{ fault: { fault: 'hugeAnswer' }, ...both([no1, ok1, done1, doubt1]) },
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

/** One operation under one setting of "On Error", with a service of its own. */
interface Station {
	name: string;
	sandbox: Sandbox;
	operation: SampleOperation;
	onError: INode['onError'];
	books: { writes: number };
	arrivals: string[];
	credentials: ReturnType<typeof storeWith>;
}

const stations: Station[] = [];
const logs = collectLogs();
const searched = { texts: 0, secrets: 0 };
let cases = 0;

beforeAll(async () => {
	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		for (let index = 0; index < 8; index++) {
			const arrivals: string[] = [];
			const sandbox = await startSandbox({ onArrival: (operation) => arrivals.push(operation) });
			const operation = sampleOperations(sandbox)[index]!;
			const books = countWrites(sandbox);
			const credentials = storeWith(sandboxCredential(sandbox.url));
			const name = `${operation.kind}, ${onError}`;
			stations.push({ name, sandbox, operation, onError, books, arrivals, credentials });
		}
	}
});
afterAll(async () => {
	await Promise.all(stations.map(({ sandbox }) => sandbox.close()));
	console.log(
		`matrix: ${cases} cases; ${searched.texts} texts searched for ${searched.secrets} secrets`,
	);
});

function isSafe(text: string, secrets: string[]): boolean {
	if (text === '') return true;
	searched.texts++;
	searched.secrets += secrets.length;
	return leaks(text, secrets).length === 0;
}

/** What the node says became of its item, by its output, or by the report of the error that stopped it. */
function claimOf({ json, errorItems, error }: RunResult, { method }: SampleOperation): string {
	const failed = errorItems[0]?.json ?? json.find((item) => 'error' in item);
	if (failed) return (failed.details as IDataObject).outcome as string;
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

async function strike(station: Station, fault: FaultRule, cells: Cells) {
	const { sandbox, operation, onError, books, arrivals, credentials, name } = station;
	const secretsBefore = secretsOf(credentials);
	books.writes = 0;
	arrivals.length = 0;
	sandbox.faults.set([fault]);
	const timeout = fault.milliseconds === undefined ? 60 : 1;
	const result = await runNode({
		node: operation.node,
		parameters: { ...operation.parameters, options: { maxTries: 2, timeout } },
		items: [operation.item],
		credentials,
		node$: { onError },
	});
	sandbox.faults.set([]);
	// What the service does after the node has given up.
	if (fault.fault === 'delayBefore') await delay(3000);
	const [, claim] = cellOf(cells, operation);
	const secrets = [...secretsBefore, ...secretsOf(credentials)];
	cases++;
	return [
		name,
		{
			requests: arrivals.filter((arrival) => arrival === operation.operation).length,
			claim: claimOf(result, operation),
			agreesWithTheBooks: agrees(claim, books.writes, operation.method),
			isSafe: isSafe(result.saved, secrets) && isSafe(logs.splice(0).join('\n'), secrets),
		},
	] as const;
}

const expected = ({ name, operation, onError }: Station, cells: Cells) => {
	const [requests, claim] = cellOf(cells, operation);
	return [
		name,
		{
			requests,
			claim: expectedClaim(claim, onError),
			agreesWithTheBooks: true,
			isSafe: true,
		},
	] as const;
};

const plans = rows.flatMap(({ fault, once, always }) => [
	{ often: 'once', fault: { ...fault, times: 1 }, cells: once },
	{ often: 'always', fault, cells: always },
]);

test.each(
	plans.map((plan) => [
		`${plan.fault.fault} ${plan.fault.status ?? ''}${plan.fault.retryAfter === undefined ? '' : ' with Retry-After'} ${plan.often}`,
		plan,
	]),
)('%s', async (_, { fault, cells }) => {
	const actual = await Promise.all(stations.map((station) => strike(station, fault, cells)));
	expect(Object.fromEntries(actual)).toEqual(
		Object.fromEntries(stations.map((station) => expected(station, cells))),
	);
});
