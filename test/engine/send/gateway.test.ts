// What the gateway before the service answers by itself: to a sign-in, a read, a write, a bulk patch and an upload.
import type { IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';

import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyLicenses } from '../../../nodes/AgencyLicenses/AgencyLicenses.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { AgencyShifts } from '../../../nodes/AgencyShifts/AgencyShifts.node';
import {
	activityId,
	answerAsGateway,
	gatewayAnswers,
	type GatewayAnswer,
} from '../../harness/gatewayAnswers';
import { readShifts } from '../../harness/readShifts';
import { runNode, type RunResult } from '../../harness/run';
import { startFakeService, type FakeService } from '../../harness/server';
import { credentialsFor } from '../../harness/useSandbox';
import { useVirtualTime } from '../../harness/virtualTime';

const time = useVirtualTime({ skipsPauses: true });
let service: FakeService;
afterEach(() => service.close());

const goOn: Partial<INode> = { onError: 'continueRegularOutput' };
const binary = {
	data: { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain', fileName: 'x.txt' },
};

interface Asking {
	node: () => INodeType;
	parameters: (options: IDataObject) => INodeParameters;
	item?: (id: number) => object;
	good: object;
}
const operations: Record<'read' | 'write' | 'bulk' | 'upload', Asking> = {
	read: {
		node: () => new AgencyShifts(),
		parameters: (options) => ({ shiftID: '={{ $json.id }}', options }) as INodeParameters,
		good: { shift: { shift: 'A' } },
	},
	write: {
		node: () => new AgencyShiftSchedules(),
		parameters: (options) => ({ fields: { name: 'A' }, options }) as INodeParameters,
		good: { shiftScheduleID: 1 },
	},
	bulk: {
		node: () => new AgencyLicenses(),
		parameters: (options) =>
			({
				op: 'replace',
				path: { entries: [{ path: '={{ "/licenses/" + $json.id }}' }] },
				value: { entries: [{ userID: 1 }] },
				options: { ...options, batchSize: 1 },
			}) as INodeParameters,
		good: { ok: [{ path: '/licenses/1', status: 200 }] },
	},
	upload: {
		node: () => new AgencyFiles(),
		parameters: (options) => ({ options }) as INodeParameters,
		item: (id) => ({ json: { id }, binary }),
		good: { fileGUID: 'x' },
	},
};
type OperationName = keyof typeof operations;
const names = Object.keys(operations) as OperationName[];

const run = (
	name: OperationName,
	count: number,
	nodeSettings: Partial<INode> = goOn,
	options: IDataObject = {},
): Promise<RunResult> => {
	const { node, parameters, item = (id) => ({ json: { id } }) } = operations[name];
	return runNode({
		node: node(),
		parameters: parameters({ parallelRequests: 4, ...options }),
		items: Array.from({ length: count }, (_, n) => item(n + 1)) as never,
		credentials: credentialsFor(service.url),
		nodeSettings,
	});
};
const signIns = () => service.paths.filter((path) => path.includes('Token')).length;
const requests = () => service.paths.length - signIns();
/** @param answer to each request but sign-ins; undefined for the service's own */
const serve = async (answer: (count: number) => GatewayAnswer | undefined, good: object = {}) => {
	let count = 0;
	service = await startFakeService((_, response) => {
		const gateway = answer(++count);
		if (gateway) answerAsGateway(response, gateway);
		else response.end(JSON.stringify(good));
	});
};
const outcomes = ({ json }: RunResult) =>
	json.map(({ error }) => (error as IDataObject | undefined)?.outcome ?? 'success');

describe.each(names)('a refused key (%s)', (name) => {
	test.each(['missingKey', 'wrongKey', 'wrongKeyInOtherWords', 'wrongKeyWithoutHeader'] as const)(
		'%s: nobody signs in again, the run ends at once, and the key is named',
		async (answer) => {
			await serve(() => gatewayAnswers[answer]);
			const result = await run(name, 30);
			expect(signIns()).toBe(1);
			expect(requests()).toBeLessThanOrEqual(4);
			const [first, last] = [result.json[0]!, result.json[29]!];
			expect(first).toMatchObject({
				message: expect.stringContaining(gatewayAnswers[answer].body.message),
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
			expect(outcomes(result).filter((outcome) => outcome === 'refused')).toHaveLength(requests());
		},
	);
});

test('after a refused key, nothing is sent again with Retry On Fail', async () => {
	await serve(() => gatewayAnswers.wrongKey);
	const { error } = await run('write', 30, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
	expect(error?.message).toMatch(/subscription key/);
	expect(error?.description).toMatch(/'Subscription Key'/);
	expect(signIns()).toBe(1);
	expect(requests()).toBeLessThanOrEqual(4);
});

test('a refused token in the shape of the gateway is a refused token', async () => {
	await serve(
		(count) =>
			count === 1
				? { status: 401, body: { statusCode: 401, message: 'Access token is missing or invalid.' } }
				: undefined,
		operations.read.good,
	);
	const { error } = await run('read', 1);
	expect(error).toBeUndefined();
	expect(signIns()).toBe(2);
});

describe.each(names)('a quota that is used up (%s)', (name) => {
	test('for longer than Max Wait: the rest is not sent, and can be sent again', async () => {
		await serve(() => gatewayAnswers.quota);
		const result = await run(name, 400);
		expect(requests()).toBeLessThanOrEqual(4);
		expect(signIns()).toBe(1);
		expect(result.json[0]).toMatchObject({
			message: expect.stringContaining('Quota will be replenished in 00:21:17.'),
			error: { outcome: 'refused', retryable: true, httpStatus: 403 },
		});
		expect(result.json[399]).toMatchObject({
			message: expect.stringMatching(/^Not sent: .*the quota is replenished in 21 minutes/),
			error: { outcome: 'notSent', retryable: true },
		});
		expect(outcomes(result).filter((outcome) => outcome === 'notSent')).toHaveLength(
			400 - requests(),
		);
		// The next run knows it.
		const asked = service.paths.length;
		const next = await run(name, 3);
		expect(next.json[0]!.message).toMatch(/the quota is replenished in 21 minutes/);
		expect(service.paths).toHaveLength(asked);
	});

	test('for a while: it is waited for', async () => {
		await serve(
			(count) => (count === 1 ? gatewayAnswers.shortQuota : undefined),
			operations[name].good,
		);
		const before = time.now;
		const { json } = await run(name, 1);
		expect(time.now - before).toBeGreaterThanOrEqual(7000);
		expect(requests()).toBe(2);
		expect(json[0]).not.toHaveProperty('error');
	});
});

test.each([
	['quotaInWords', 'the quota is replenished in 26 hours'],
	[
		'quotaWithoutTime',
		'the calls or bytes that the subscription key allows are used up [row 50 (item 49)]',
	],
] as const)('%s ends the run', async (answer, words) => {
	await serve(() => gatewayAnswers[answer]);
	const { json } = await run('write', 50);
	expect(requests()).toBeLessThanOrEqual(4);
	expect(json[49]).toMatchObject({
		message: expect.stringContaining(words),
		error: { outcome: 'notSent', retryable: true },
	});
});

test.each(['rateLimit', 'rateLimitInWords'] as const)('%s is waited for', async (answer) => {
	await serve((count) => (count === 1 ? gatewayAnswers[answer] : undefined), operations.write.good);
	const before = time.now;
	const { json } = await run('write', 1);
	expect(json).toEqual([{ shiftScheduleID: 1 }]);
	expect(time.now - before).toBeGreaterThanOrEqual(5000);
	expect(time.now - before).toBeLessThan(6000);
});

describe.each(names)('what else the gateway says (%s)', (name) => {
	const inDoubt = name === 'read' ? 'refused' : 'unknown';
	test.each([
		[
			'address',
			'refused',
			/^The gateway .*: Forbidden \[row 1 \(item 0\)\]$/,
			/ask the service's owner/,
		],
		['route', 'refused', /^The gateway .*: Resource not found \[row 1 \(item 0\)\]$/, /'Base URL'/],
		[
			'tooLarge',
			'refused',
			/^The gateway .*413: Request Entity Too Large \[row 1 \(item 0\)\]$/,
			/smaller/,
		],
		['failed', inDoubt, new RegExp(`500: Internal server error: activity ${activityId},`), /./],
		['badGateway', inDoubt, new RegExp(`502: Bad gateway: activity ${activityId},`), /./],
		['timeout', inDoubt, new RegExp(`504: Gateway Timeout: activity ${activityId},`), /./],
	] as const)('%s', async (answer, outcome, message, advice) => {
		await serve(() => gatewayAnswers[answer]);
		const { json } = await run(name, 1);
		expect(json).toMatchObject([
			{
				message: expect.stringMatching(message),
				error: { outcome, advice: expect.stringMatching(advice) },
			},
		]);
		expect(json[0]!.message).not.toMatch(/[{}]/);
		expect(signIns()).toBe(1);
	});
});

describe('at sign-in', () => {
	const serveSignIn = async (answer: (count: number) => GatewayAnswer | undefined) => {
		let count = 0;
		service = await startFakeService(({ url }, response) => {
			const gateway = url!.includes('Token') ? answer(++count) : undefined;
			if (gateway) return answerAsGateway(response, gateway);
			const token = { access_token: 'fake-access-token', expires_in: 60 };
			response.end(JSON.stringify(url!.includes('Token') ? token : operations.read.good));
		}, false);
		return credentialsFor(service.url);
	};

	test.each([
		['missingKey', /subscription key: Access denied due to missing .*'Subscription Key'/],
		['wrongKey', /subscription key: Access denied due to invalid .*'Subscription Key'/],
		['wrongKeyInOtherWords', /subscription key: Zugriff verweigert\. .*'Subscription Key'/],
		['wrongKeyWithoutHeader', /subscription key: Access denied.*'Subscription Key'/],
		['address', /Forbidden.*ask the service's owner/],
		['route', /Resource not found.*'Base URL'/],
	] as const)('%s: ten runs with Retry On Fail try it once', async (answer, message) => {
		const store = await serveSignIn(() => gatewayAnswers[answer]);
		for (let each = 0; each < 10; each++) {
			const nodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const { error } = await readShifts(store, 5, { nodeSettings });
			expect(error?.message).toMatch(message);
			expect(error?.message).not.toMatch(/[{}]/);
		}
		expect([signIns(), requests()]).toEqual([1, 0]);
	});

	test.each([
		['quota', 'the quota is replenished in 21 minutes'],
		['quotaInWords', 'the quota is replenished in 26 hours'],
	] as const)('%s ends the run, and the next ones', async (answer, words) => {
		const store = await serveSignIn(() => gatewayAnswers[answer]);
		for (let each = 0; each < 10; each++) {
			const { json } = await readShifts(store, 20, { nodeSettings: goOn });
			for (const item of json) {
				expect(item).toMatchObject({
					message: expect.stringContaining(words),
					error: { outcome: 'notSent', retryable: true },
				});
			}
		}
		expect([signIns(), requests()]).toEqual([1, 0]);
	});

	test.each(['shortQuota', 'rateLimit', 'rateLimitInWords'] as const)(
		'%s is waited for',
		async (answer) => {
			const store = await serveSignIn((count) =>
				count === 1 ? gatewayAnswers[answer] : undefined,
			);
			const before = time.now;
			const { error } = await readShifts(store, 5, {
				parameters: { shiftID: 1, options: { maxTries: 2 } },
			});
			expect(error).toBeUndefined();
			expect([signIns(), requests()]).toEqual([2, 5]);
			expect(time.now - before).toBeGreaterThanOrEqual(5000);
		},
	);
});
