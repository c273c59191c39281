// Faults on request: the plan as flags and over HTTP. The effect of each kind is tested in
// test/faults/matrix.full.test.cts.
import axios, { type AxiosRequestConfig } from 'axios';

import { readFaultFlag } from '../../sandbox/readFaultPlan.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { keyHeader, signIn } from '../harness/client.mts';
import { useSandbox } from '../harness/useSandbox.cts';

const sandbox = useSandbox();
let headers: Record<string, string>;
beforeAll(async () => {
	headers = { ...keyHeader, Authorization: await signIn(sandbox.url) };
});
afterEach(() => sandbox.faults.set([]));

const open = (url: string) =>
	axios.create({ baseURL: url, validateStatus: () => true, maxRedirects: 0 });
const post = (config: AxiosRequestConfig = {}) =>
	open(sandbox.url).post<unknown>(
		'/agencyshiftschedules/shiftschedules',
		{ name: 'Fault' },
		{ headers, ...config },
	);
test('a fault strikes only its operation, and a sign-in only if named', async () => {
	sandbox.faults.set([{ fault: 'refuse', operation: 'getShift' }]);
	expect((await post()).status).toBe(201);
	sandbox.faults.set([{ fault: 'refuse' }]);
	headers.Authorization = await signIn(sandbox.url);
	expect((await post()).status).toBe(503);
	sandbox.faults.set([{ fault: 'refuse', operation: 'passwordToken' }]);
	await expect(signIn(sandbox.url)).rejects.toThrow('503');
});

test('the same seed strikes the same requests, and another seed other ones', async () => {
	const pattern = async (seed: number) => {
		const faults = [{ fault: 'refuse', probability: 0.5 } as const];
		const other = await startSandbox({ seed, faults });
		const baseURL = other.url;
		const own = { baseURL, headers: { ...headers, Authorization: await signIn(baseURL) } };
		const statuses: number[] = [];
		for (let n = 0; n < 20; n++) statuses.push((await post(own)).status);
		await other.close();
		return statuses;
	};
	const first = await pattern(11);
	expect(new Set(first)).toEqual(new Set([201, 503]));
	expect(await pattern(11)).toEqual(first);
	expect(await pattern(12)).not.toEqual(first);
});

test('the plan can be read and changed over HTTP without key or token', async () => {
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
	['refuse,status=', /status must be integer/],
	['refuse,status=199', /status must be >= 200/],
	['delayBefore,spread=-1', /spread must be >= 0/],
	['refuse,stauts=429', /stauts is not a known field/],
	['refuse,operation=nowhere', /operation must be one of .*createShiftSchedule/],
])('the flag "%s" is refused', (flag, message) => {
	expect(() => readFaultFlag(flag)).toThrow(message);
});
