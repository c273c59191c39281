import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Operation } from '../../../engine/area';
import { accountOf } from '../../../engine/auth/account';
import type { Failure } from '../../../engine/failure';
import type { NodeContext } from '../../../engine/n8n';
import type { ServiceRequest } from '../../../engine/request/request';
import { RunStatistics } from '../../../engine/send/runStatistics';
import { ServiceAccess } from '../../../engine/send/serviceAccess';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';
import { comeToRest, nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();

const request: ServiceRequest = {
	method: 'GET',
	path: '/shifts/1',
	query: {},
	headers: {},
	timeout: 1000,
	limits: { maxTries: 1, maxWait: 0 },
};

type Helper = (this: NodeContext, type: string, options: IHttpRequestOptions) => Promise<unknown>;

function openAccess(httpRequestWithAuthentication: Helper) {
	const credentials = sandboxCredential('http://localhost:1', { grantType: 'password' });
	const account = accountOf(credentials);
	account.tokens.remember({ accessToken: 'token', settings: account.key, obtainedAt: 1 });
	const ctx = {
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication },
	} as unknown as NodeContext;
	const { signal: stop } = new AbortController();
	const operation = { route: 'GET /shifts' } as unknown as Operation;
	return new ServiceAccess(
		ctx,
		credentials,
		{ operation, maxParallel: 256, stop },
		new RunStatistics(),
	);
}

test('requests that are stopped while they are in progress, as pages are, show nothing of the service', async () => {
	let hangs = true;
	const { send } = openAccess(async function () {
		const signal = 'getExecutionCancelSignal' in this && this.getExecutionCancelSignal();
		if (!hangs || !signal)
			return { statusCode: 200, headers: {}, body: Readable.from([Buffer.from('{}')]) };
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		throw new Error('n8n', { cause: { code: 'ERR_CANCELED' } });
	});
	for (let page = 0; page < 20; page++) {
		const stop = new AbortController();
		const stopped = send(request, stop.signal).catch((error: Failure) => error.message);
		await nextTurn();
		stop.abort();
		expect(await stopped).toBe('The execution was cancelled');
	}
	hangs = false;
	expect((await send(request)).status).toBe(200);
});

test('while the service asks to wait, no further item is begun', async () => {
	let isBusy = true;
	const access = openAccess(() => {
		const [statusCode, headers] = isBusy ? [429, { 'retry-after': '60' }] : [200, {}];
		isBusy = false;
		return Promise.resolve({ statusCode, headers, body: Readable.from([Buffer.from('{}')]) });
	});
	const limits = { maxTries: 2, maxWait: 100_000 };
	const sent = access.send({ ...request, limits });
	await comeToRest();
	let isReady = false;
	void access.untilNoneWaits().then(() => (isReady = true));
	await comeToRest();
	expect(isReady).toBe(false);
	time.pass(60_000);
	expect((await sent).status).toBe(200);
	expect(isReady).toBe(true);
});
