// Faults on request: the plan as flags and over HTTP, and what each kind does to an independent client.
import axios, { type AxiosRequestConfig } from 'axios';

import { faultKinds } from '../../sandbox/faultKinds.mts';
import { type FaultRule } from '../../sandbox/faults.mts';
import { readFaultFlag } from '../../sandbox/readFaultPlan.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { keyHeader, signIn } from '../harness/client';
import { useSandbox } from '../harness/useSandbox';

const sandbox = useSandbox();
let headers: Record<string, string>;
beforeAll(async () => {
	headers = { ...keyHeader, Authorization: await signIn(sandbox.url) };
});
afterEach(() => sandbox.faults.set([]));

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
const count = () => sandbox.records.count('shiftSchedule');

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
	[{ fault: 'webPage' }, { status: 201, type: 'text/html' }, 1],
	[{ fault: 'emptyAnswer' }, { status: 201, data: '' }, 1],
	[
		{ fault: 'echo' },
		{ status: 500, data: { errors: expect.stringContaining('{"name":"Fault"}') } },
		0,
	],
	[{ fault: 'expireToken' }, { status: 401 }, 0],
];

test('every kind is among the cases', () => {
	const covered = new Set(expected.map(([{ fault }]) => fault));
	expect([...covered].sort()).toEqual([...faultKinds].sort());
});

test.each(expected)('%j gives %j and %i records', async (rule, seen, records) => {
	sandbox.faults.set([{ ...rule, times: 1 }]);
	const before = count();
	const answer = await post().then(
		({ status, data, headers: { 'retry-after': retryAfter, 'content-type': type } }) => ({
			status,
			data,
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
		const faults = [{ fault: 'refuse', probability: 0.5 } as const];
		const other = await startSandbox({ seed, faults });
		const baseURL = other.url;
		const own = { baseURL, headers: { ...headers, Authorization: await signIn(baseURL) } };
		const statuses: number[] = [];
		for (let n = 0; n < 40; n++) statuses.push((await post(own)).status);
		await other.close();
		return statuses;
	};
	const first = await pattern(11);
	expect(new Set(first)).toEqual(new Set([201, 503]));
	expect(await pattern(11)).toEqual(first);
	expect(await pattern(12)).not.toEqual(first);
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

test.each([
	['flood', /fault must be one of .*resetAfter/],
	['refuse=often', /probability must be number/],
	['refuse=2', /probability must be <= 1/],
	['refuse,times=0', /times must be >= 1/],
	['refuse,status=', /status must be integer/],
	['refuse,status=199', /status must be >= 200/],
	['delayBefore,spread=-1', /spread must be >= 0/],
	['refuse,stauts=429', /stauts is not a known field/],
	['refuse,operation=createShift', /operation must be one of .*createShiftSchedule/],
])('the flag "%s" is refused', (flag, message) => {
	expect(() => readFaultFlag(flag)).toThrow(message);
});
