import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { accountOf } from '../../../engine/auth/account';
import type { Failure } from '../../../engine/failure';
import type { NodeContext } from '../../../engine/n8n';
import { buildRequest } from '../../../engine/request/request';
import { SendingRun } from '../../../engine/send/sendingRun';
import { ServiceAccess } from '../../../engine/send/serviceAccess';
import { sandboxCredential } from '../../../n8n-in-process/sandboxCredential.mts';
import { comeToRest, nextTurn } from '../../harness/eventLoop.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';
import { contentOf, jobOf, operationWith } from '../operation.cts';

const time = useVirtualTime();

const operation = operationWith({ route: 'GET /shifts' });
const requestWith = (options: IDataObject) =>
	buildRequest(operation, jobOf(operation, { options }).values, contentOf(operation));

type Helper = (this: NodeContext, type: string, options: IHttpRequestOptions) => Promise<unknown>;

const newRun = () => new SendingRun(operation, new AbortController().signal, 256);

function openAccess(httpRequestWithAuthentication: Helper, run = newRun()) {
	const credentials = sandboxCredential('http://localhost:1', { grantType: 'password' });
	const account = accountOf(credentials);
	account.tokens.remember({ accessToken: 'token', settings: account.key, obtainedAt: 1 });
	const ctx = {
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication },
	} as unknown as NodeContext;
	return new ServiceAccess(ctx, credentials, run);
}

const respond = (statusCode: number, headers = {}) => {
	const body = Readable.from([Buffer.from('{}')]);
	return Promise.resolve({ statusCode, headers, body });
};

test('requests stopped while in progress, such as pages, say nothing about the service', async () => {
	let hangs = true;
	const { send } = openAccess(async function () {
		const signal = 'getExecutionCancelSignal' in this && this.getExecutionCancelSignal();
		if (!hangs || !signal) return await respond(200);
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		throw new Error('n8n', { cause: { code: 'ERR_CANCELED' } });
	});
	const request = requestWith({ maxTries: 1 });
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

test('while the service asks to wait, no further item is started', async () => {
	let isBusy = true;
	const run = newRun();
	const access = openAccess(() => {
		const response = isBusy ? respond(429, { 'retry-after': '60' }) : respond(200);
		isBusy = false;
		return response;
	}, run);
	const begun: number[] = [];
	const entries = (async function* () {
		for (let entry = 1; entry <= 3; entry++) {
			yield [entry];
			await comeToRest();
		}
	})();
	const running = run.doInParallel(entries, async (entry) => {
		begun.push(entry);
		await access.send(requestWith({ maxTries: 2, maxWait: 100 }));
	});
	for (let entry = 1; entry <= 3; entry++) await comeToRest();
	expect(begun).toEqual([1, 2]);
	time.pass(60_000);
	await running;
	expect(begun).toEqual([1, 2, 3]);
});
