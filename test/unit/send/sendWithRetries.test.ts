import type { Failure } from '../../../engine/failure';
import type { ServiceRequest } from '../../../engine/request/request';
import { AccountQueue, Connections, RunQueue } from '../../../engine/send/accountQueue';
import { RunStatistics } from '../../../engine/send/runStatistics';
import type { SendTry, TryResult } from '../../../engine/send/sendTypes';
import { sendWithRetries } from '../../../engine/send/sendWithRetries';
import { nextTurn } from '../../harness/turns';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();

const request: ServiceRequest = {
	method: 'GET',
	path: '/shifts/1',
	query: {},
	headers: {},
	timeout: 1000,
	maxAnswerBytes: 100,
	limits: { maxTries: 1, maxWait: 0 },
};

function openSend(sendTry: SendTry) {
	const { signal } = new AbortController();
	const accountQueue = new AccountQueue(new Connections());
	const runQueue = new RunQueue(accountQueue, 'GET /shifts', false, 256, signal);
	return sendWithRetries(sendTry, runQueue, new RunStatistics());
}

const noAnswer: TryResult = {
	evidence: { maybeSent: true },
	noAnswer: { message: 'No answer', details: {} },
};
const evidence = { maybeSent: true, status: 200 };
const success: TryResult = {
	evidence,
	answer: { method: 'GET', status: 200, text: '{}', evidence },
};

test('requests that are stopped while they are under way, as pages are, show nothing of the service', async () => {
	const send = openSend(async (_, stop) => {
		if (!stop) return success;
		await new Promise((resolve) => stop.addEventListener('abort', resolve));
		return noAnswer;
	});
	for (let page = 0; page < 20; page++) {
		const stop = new AbortController();
		const stopped = send(request, stop.signal).catch((error: Failure) => error.message);
		await nextTurn();
		stop.abort();
		expect(await stopped).toBe('No answer');
	}
	expect((await send(request)).status).toBe(200);
});
