// The cause of a failure as n8n reads it since 2.41, to decide how long to wait before it polls a trigger again.
import { gatewayResponses } from '../../harness/gatewayResponses.cts';
import { Trigger } from '../../harness/polling.cts';
import { readShifts } from '../../harness/readShifts.cts';
import { startFakeService } from '../../harness/server.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useCannedService, type Name } from '../response/cannedService.cts';

const service = useCannedService('test');
const stop = { onError: 'stopWorkflow' } as const;

test.each<[Name, object, unknown]>([
	['get', { status: 429, headers: { 'Retry-After': '600' } }, ['rate-limited', 600_000]],
	['create', { status: 429 }, ['rate-limited', undefined]],
	['get', { status: 503 }, ['temporarily-unavailable', undefined]],
	['get', gatewayResponses.quota, ['quota-exhausted', 1_277_000]],
	['get', gatewayResponses.wrongKey, ['credential-invalid', undefined]],
	['get', { status: 400 }, []],
	// It may have been processed: resending it, however late, may double it.
	['create', { status: 503 }, []],
	['archive', { status: 503 }, []],
])('%s that gets %j: %j', async (name, response, expected) => {
	const { error } = await service.run(name, response, { nodeSettings: stop });
	expect(error?.message).toMatch(/\w/);
	const { cause, retryAfterMs } = (error as { failure?: Record<string, unknown> }).failure ?? {};
	expect(cause ? [cause, retryAfterMs] : []).toEqual(expected);
});

test('a poll that is told to wait says for how long', async () => {
	const busy = await startFakeService((_request, response) =>
		response.writeHead(429, { 'Retry-After': '600' }).end(),
	);
	const trigger = new Trigger({ resource: 'vendor' }, credentialsFor(busy.url));
	await expect(trigger.activate()).rejects.toMatchObject({ failure: { retryAfterMs: 600_000 } });
});

test('a refused sign-in is blamed on the credential', async () => {
	const refusing = await startFakeService(
		(_, response) => response.writeHead(400).end('{}'),
		false,
	);
	const { error } = await readShifts(credentialsFor(refusing.url), 1);
	expect(error).toMatchObject({ failure: { cause: 'credential-invalid' } });
});
