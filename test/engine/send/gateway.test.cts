// Responses of the service's gateway itself: to a sign-in, a read, a write, a bulk patch and an upload.
import type { IDataObject } from 'n8n-workflow';

import {
	activityId,
	respondAsGateway,
	gatewayResponses,
	type GatewayResponse,
} from '../../harness/gatewayResponses.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { continueOnFail, outcomesOf, type RunOptions } from '../../harness/run.cts';
import { startFakeService, type FakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { useCannedService, well } from '../response/cannedService.cts';

const time = useVirtualTime({ skipsPauses: true });
const service = useCannedService('test');

const names = ['get', 'create', 'bulk', 'upload'] as const;
type OperationName = (typeof names)[number];
type ResponseName = keyof typeof gatewayResponses;

const goOn: RunOptions['nodeSettings'] = continueOnFail;
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const options = { parallelRequests: 4, batchSize: 1, maxTries: 4 };
/** Runs an operation for this number of items. All get the same response. */
const run = (name: OperationName, count: number, response: ResponseName, nodeSettings = goOn) =>
	service.run(name, gatewayResponses[response], { count, options, nodeSettings });
const isSignIn = (path: string) => path.includes('Token');
const signIns = () => service.paths.filter(isSignIn).length;
const requests = () => service.paths.length - signIns();

describe.each(names)('a refused key (%s)', (name) => {
	test.each(['missingKey', 'wrongKey', 'wrongKeyInOtherWords', 'wrongKeyWithoutHeader'] as const)(
		'%s: the run ends at once without another sign-in, and the key is named',
		async (response) => {
			const result = await run(name, 30, response);
			expect(signIns()).toBe(1);
			expect(requests()).toBeLessThanOrEqual(4);
			const [first, last] = [result.json[0]!, result.json[29]!];
			expect(first).toMatchObject({
				message: expect.stringContaining(gatewayResponses[response].body.message),
				error: {
					outcome: 'refused',
					retryable: false,
					httpStatus: 401,
					advice: expect.stringContaining("'Subscription Key'"),
				},
			});
			expect(first.message).not.toMatch(/[{}]/);
			expect(last).toMatchObject({
				message: expect.stringMatching(/^Not sent: .*subscription key/),
				error: { outcome: 'notSent', advice: expect.stringContaining("'Subscription Key'") },
			});
			expect(outcomesOf(result).filter((outcome) => outcome === 'refused')).toHaveLength(
				requests(),
			);
		},
	);
});

test("tokens refused repeatedly in the gateway's shape mean that the credential is wrong", async () => {
	const body = { statusCode: 401, message: 'Unauthorized. Access token is missing or invalid.' };
	const { json } = await service.run('get', { status: 401, body }, { options, nodeSettings: goOn });
	expect(json).toMatchObject([
		{
			message: expect.stringContaining(body.message),
			error: {
				code: 'tokenRefused',
				outcome: 'refused',
				retryable: false,
				advice: expect.stringMatching(/a freshly issued token.*'Authorization Header'/),
			},
		},
	]);
});

test.each(names)('%s: a quota beyond Max Wait leaves rows unsent and retryable', async (name) => {
	const result = await run(name, 400, 'quota');
	expect(requests()).toBeLessThanOrEqual(4);
	expect(signIns()).toBe(1);
	expect(result.json[0]).toMatchObject({
		message: expect.stringContaining('Quota will be replenished in 00:21:17.'),
		error: { outcome: 'refused', retryable: true, httpStatus: 403 },
	});
	expect(result.json[399]).toMatchObject({
		message: expect.stringMatching(
			/^Not sent: .*quota of calls or bytes is used up; .* wait another 21 minutes/,
		),
		error: { outcome: 'notSent', retryable: true },
	});
	expect(outcomesOf(result).filter((outcome) => outcome === 'notSent')).toHaveLength(
		400 - requests(),
	);
	// The next run knows it.
	const asked = service.paths.length;
	const next = await run(name, 3, 'quota');
	expect(next.json[0]!.message).toMatch(/wait another 21 minutes/);
	expect(service.paths).toHaveLength(asked);
});

describe.each(names)('other responses of the gateway (%s)', (name) => {
	const inDoubt = name === 'get' ? 'refused' : 'inDoubt';
	test.each([
		['address', 'refused', /^The service's gateway .*: Forbidden$/, /Ask the service owner/],
		['route', 'refused', /^The service's gateway .*: Resource not found$/, /'Base URL'/],
		[
			'tooLarge',
			'refused',
			/^The service's gateway .*413: Request Entity Too Large(?:; the file .+ may be too large)?$/,
			/smaller/,
		],
		['failed', inDoubt, new RegExp(`500: Internal server error: activity ID ${activityId},`), /./],
		['badGateway', inDoubt, new RegExp(`502: Bad gateway: activity ID ${activityId},`), /./],
		['timeout', inDoubt, new RegExp(`504: Gateway Timeout: activity ID ${activityId},`), /./],
	] as const)('%s', async (response, outcome, message, advice) => {
		const { json } = await run(name, 1, response);
		expect(json).toMatchObject([
			{
				message: expect.stringMatching(message),
				error: { outcome, advice: expect.stringMatching(advice) },
			},
		]);
		const { serviceMessage } = json[0]!.error as IDataObject;
		for (const words of [json[0]!.message, serviceMessage]) expect(words).not.toMatch(/[{}]/);
		expect(signIns()).toBe(1);
	});
});

describe('at sign-in', () => {
	let refusing: FakeService;
	/** @param respond gives the response to each sign-in by its number, from 1; undefined for a token */
	const serveSignIn = async (respond: (count: number) => GatewayResponse | undefined) => {
		let count = 0;
		refusing = await startFakeService(({ url }, response) => {
			if (!isSignIn(url!)) return response.end(JSON.stringify(well.get));
			const gateway = respond(++count);
			if (gateway) return respondAsGateway(response, gateway);
			response.end('{"access_token":"fake-access-token","expires_in":60}');
		}, false);
		return credentialsFor(refusing.url);
	};
	const asked = () => [refusing.signIns.length, refusing.requests.length];

	test.each([
		['missingKey', /subscription key: Access denied due to missing .*'Subscription Key'/, 1],
		['wrongKeyWithoutHeader', /subscription key: Access denied.*'Subscription Key'/, 1],
		['address', /status 403: Forbidden/, 1],
		// A wrong address cannot lock an account.
		[
			'route',
			/^There is no sign-in at this address: .*Resource not found\. .*'Base URL'.*'Password at an Identity Provider'/,
			9,
		],
	] as const)(
		'%s: three runs with Retry On Fail try it a limited number of times',
		async (response, message, times) => {
			const store = await serveSignIn(() => gatewayResponses[response]);
			for (let each = 0; each < 3; each++) {
				const { error } = await readShifts(store, 5, { nodeSettings: retry });
				expect(error?.message).toMatch(message);
				expect(error?.message).not.toMatch(/[{}]/);
				expect(error?.description).toMatch(/Correct the credential, then run this item again\.$/);
			}
			expect(asked()).toEqual([times, 0]);
		},
	);

	test('a used-up quota ends this run and the next ones', async () => {
		const store = await serveSignIn(() => gatewayResponses.quota);
		for (let each = 0; each < 3; each++) {
			const { json } = await readShifts(store, 20, { nodeSettings: goOn });
			for (const item of json) {
				expect(item).toMatchObject({
					message: expect.stringContaining('asks to wait 21 minutes: '),
					error: { outcome: 'notSent', retryable: true },
				});
			}
		}
		expect(asked()).toEqual([1, 0]);
	});

	test.each(['shortQuota', 'rateLimit'] as const)('the wait for %s is obeyed', async (response) => {
		const store = await serveSignIn((count) =>
			count === 1 ? gatewayResponses[response] : undefined,
		);
		const before = time.now;
		const { error } = await readShifts(store, 5, {
			parameters: { shiftID: 1, options: { maxTries: 2 } },
		});
		expect(error).toBeUndefined();
		expect(asked()).toEqual([2, 5]);
		expect(time.now - before).toBeGreaterThanOrEqual(5000);
	});
});
