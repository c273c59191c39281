// Faults on request: the plan as flags and over HTTP, and what each kind does to an independent client.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import axios, { type AxiosRequestConfig } from 'axios';

import { faultKinds, type FaultRule } from '../../sandbox/faults.mts';
import { readFaultFlag, readPlan } from '../../sandbox/plan.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { keyHeader, signIn } from '../harness/client';

let sandbox: Sandbox;
let headers: Record<string, string>;
beforeAll(async () => {
	sandbox = await startSandbox();
	headers = { ...keyHeader, Authorization: await signIn(sandbox.url) };
});
afterEach(() => sandbox.faults.set([]));
afterAll(() => sandbox.close());

const open = (url: string) =>
	axios.create({ baseURL: url, validateStatus: () => true, maxRedirects: 0, timeout: 10_000 });
const post = (config: AxiosRequestConfig = {}) =>
	open(sandbox.url).post<unknown>(
		'/agencyshiftschedules/shiftschedules',
		{ name: 'Fault' },
		{
			headers,
			...config,
		},
	);
const count = () => sandbox.store.count('shiftSchedule');

/** Statuses, headers and bodies as the plan tells; how many records each kind leaves behind. */
const expected: Array<[FaultRule, object, number]> = [
	[{ fault: 'refuse' }, { status: 503 }, 0],
	[{ fault: 'refuse', status: 429, retryAfter: 7 }, { status: 429, retryAfter: '7' }, 0],
	[{ fault: 'failAfter' }, { status: 500 }, 1],
	[{ fault: 'failAfter', status: 502 }, { status: 502 }, 1],
	[{ fault: 'resetBefore' }, { code: 'ECONNRESET' }, 0],
	[{ fault: 'resetAfter' }, { code: 'ECONNRESET' }, 1],
	[{ fault: 'delayBefore', milliseconds: 1 }, { status: 201 }, 1],
	[{ fault: 'cutOff' }, { code: 'ECONNRESET' }, 1],
	[{ fault: 'trickle', milliseconds: 0 }, { status: 201 }, 1],
	[{ fault: 'redirect' }, { status: 302, location: 'https://elsewhere.example/' }, 0],
	[{ fault: 'webPage' }, { status: 201, type: 'text/html' }, 1],
	[{ fault: 'emptyAnswer' }, { status: 201, data: '' }, 1],
	[{ fault: 'wrongShape' }, { status: 201, data: { unexpected: [] } }, 1],
	[{ fault: 'hugeAnswer' }, { code: 'ERR_BAD_RESPONSE' }, 1],
	[{ fault: 'echo' }, { status: 500 }, 0],
	[{ fault: 'expireToken' }, { status: 401 }, 0],
];

test('every kind is among the cases', () => {
	const covered = new Set(expected.map(([{ fault }]) => fault));
	expect([...covered].sort()).toEqual(faultKinds.map(({ kind }) => kind).sort());
});

test.each(expected)('%j gives %j and %i records', async (rule, seen, records) => {
	sandbox.faults.set([{ ...rule, times: 1 }]);
	const before = count();
	const answer = await post({ maxContentLength: 1024 * 1024 }).then(
		({ status, data, headers: { location, 'retry-after': retryAfter, 'content-type': type } }) => ({
			status,
			data,
			location: location as unknown,
			retryAfter: retryAfter as unknown,
			type: String(type),
		}),
		(error: { code: string }) => ({ code: error.code }),
	);
	expect(answer).toMatchObject(seen);
	expect(count() - before).toBe(records);
	expect(sandbox.faults.struck[rule.fault]).toBeGreaterThan(0);

	headers.Authorization = await signIn(sandbox.url);
	expect((await post()).status).toBe(201);
});

test('the echo holds what was sent, secrets included', async () => {
	sandbox.faults.set([{ fault: 'echo' }]);
	expect(JSON.stringify((await post()).data)).toContain(headers.Authorization);
});

test('a fault strikes its operation only, and a sign-in only if it is named', async () => {
	sandbox.faults.set([{ fault: 'refuse', operation: 'getShift' }]);
	expect((await post()).status).toBe(201);
	sandbox.faults.set([{ fault: 'refuse' }]);
	headers.Authorization = await signIn(sandbox.url);
	expect((await post()).status).toBe(503);
	sandbox.faults.set([{ fault: 'refuse', operation: 'passwordToken' }]);
	await expect(signIn(sandbox.url)).rejects.toThrow('503');
});

test('the same seed strikes the same requests, another seed others', async () => {
	const pattern = async (seed: number) => {
		const other = await startSandbox({ seed, faults: [{ fault: 'refuse', probability: 0.5 }] });
		const authorized = {
			...keyHeader,
			'Content-Type': 'application/json',
			Authorization: await signIn(other.url),
		};
		const client = open(other.url);
		const statuses: number[] = [];
		for (let n = 0; n < 40; n++) {
			statuses.push((await client.get('/agencyvendors/vendors', { headers: authorized })).status);
		}
		await other.close();
		return statuses.join(' ');
	};
	const first = await pattern(11);
	expect(first).toContain('200');
	expect(first).toContain('503');
	expect(await pattern(11)).toBe(first);
	expect(await pattern(12)).not.toBe(first);
});

test('the plan is read and changed over HTTP, without key or token', async () => {
	const client = open(sandbox.url);
	const plan = [{ fault: 'refuse', status: 429, times: 2 }];
	expect((await client.put<unknown>('/sandbox/faults', plan)).data).toEqual({ plan });
	expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([
		429, 429, 201,
	]);
	const { data } = await client.get<{ plan: unknown; struck: object }>('/sandbox/faults');
	expect(data).toMatchObject({ plan, struck: { refuse: expect.any(Number) as number } });

	const refused = await client.put<{ errors: string }>('/sandbox/faults', [{ fault: 'flood' }]);
	expect(refused.status).toBe(400);
	expect(refused.data.errors).toContain('resetAfter');
	expect(sandbox.faults.rules).toEqual(plan);
});

test('flags', () => {
	expect(readFaultFlag('resetAfter')).toEqual({ fault: 'resetAfter' });
	expect(readFaultFlag('resetAfter=0.1')).toEqual({ fault: 'resetAfter', probability: 0.1 });
	expect(readFaultFlag('refuse=1,status=429,retryAfter=5,operation=uploadFile,times=2')).toEqual({
		fault: 'refuse',
		probability: 1,
		status: 429,
		retryAfter: '5',
		operation: 'uploadFile',
		times: 2,
	});
});

test.each([
	['flood', /fault must be equal to one of .*resetAfter/],
	['refuse=often', /probability must be number/],
	['refuse=2', /probability must be <= 1/],
	['refuse,times=0', /times must be >= 1/],
	['refuse,status=', /status must be integer/],
	['refuse,stauts=429', /stauts must NOT have additional properties/],
	['refuse,operation=createShift', /operation must be equal to one of .*createShiftSchedule/],
])('the flag "%s" is refused', (flag, message) => {
	expect(() => readFaultFlag(flag)).toThrow(message);
});

test.each([{}, 'refuse', [null], [{}]].map((plan) => [plan]))('no plan: %j', (plan) => {
	expect(() => readPlan(plan)).toThrow('The fault plan does not fit');
});

describe('npm run sandbox', () => {
	const root = join(__dirname, '..', '..');
	const main = ['sandbox/main.mts', '--port', '0'];
	let child: ChildProcess | undefined;
	afterEach(async () => {
		if (child?.kill()) await once(child, 'exit');
	});

	test('--fault and --seed', async () => {
		const flags = ['--seed', '7', '--fault', 'refuse,status=429', '--fault', 'echo=0.5'];
		child = spawn(process.execPath, [...main, ...flags], { cwd: root });
		let printed = '';
		for await (const chunk of child.stdout!) {
			printed += String(chunk);
			if (printed.includes('Ctrl-C')) break;
		}
		expect(printed).toContain('seed 7');
		const url = /http:\/\/[\d.:]+\d/.exec(printed)![0];
		const { data } = await open(url).get<{ plan: unknown }>('/sandbox/faults');
		expect(data.plan).toEqual([
			{ fault: 'refuse', status: 429 },
			{ fault: 'echo', probability: 0.5 },
		]);
	});

	test('a wrong flag ends it with a message', async () => {
		const message = await new Promise<string>((resolve) => {
			execFile(process.execPath, [...main, '--fault', 'flood'], { cwd: root }, (error, _, text) =>
				resolve(`${error?.code}: ${text}`),
			);
		});
		expect(message).toMatch(/^1: .*fault must be equal to one of/);
	});
});
