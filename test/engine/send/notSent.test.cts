// An item whose request was never passed on was certainly not sent; otherwise it is in doubt.
import { createServer } from 'node:https';
import tls from 'node:tls';
import type { AddressInfo } from 'node:net';

import { selfSignedIdentity } from '../../../bench/service/certificate.mts';
import { AgencyFiles } from '../../../nodes/AgencyFiles/AgencyFiles.node';
import { AgencyShiftSchedules } from '../../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { createSchedules, namedRows, type CreateOptions } from '../../harness/createSchedules.cts';
import { continueOnFail, runNode, watched, type RunOptions } from '../../harness/run.cts';
import { startFakeService, type FakeService } from '../../harness/server.cts';
import { comeToRest } from '../../harness/eventLoop.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';
import { useVirtualTime } from '../../harness/virtualTime.cts';

const time = useVirtualTime();
let service: FakeService;
const credentials = () => credentialsFor(service.url);

/** Creates under "Continue". @returns what the node passes to n8n, which does not show a cancelled node's output */
async function create(more: CreateOptions = {}) {
	const { node, seen } = watched(new AgencyShiftSchedules());
	const usual = { node, items: namedRows(1), nodeSettings: continueOnFail };
	await createSchedules(more.credentials ?? credentials(), { ...usual, ...more }).catch(() => {});
	return seen;
}

/** A deadline ends up to half a second late, since it shares its timer with others. */
const second = 1500;

/** Grace period (ms) for an aborted request to say how far it got. */
const graceAfterAbort = 250;

test.each([
	['cancelling at once', 0, /^The execution was cancelled$/],
	['the time of its request', second, /came within 1 second/],
])('a hanging sign-in is ended by %s, and its item is not sent', async (_, after, message) => {
	const cancel = new AbortController();
	let respondToSignIn!: () => void;
	service = await startFakeService(async (request, response) => {
		if (request.url !== '/authpass/Token.php') return response.end('{"shiftScheduleID": 1}');
		respondToSignIn = () => response.end('{"access_token": "late", "expires_in": 60}');
		if (after === 0) cancel.abort();
		time.pass(after);
		await comeToRest();
		return time.pass(graceAfterAbort);
	}, false);
	const seen = await create({ cancel: cancel.signal, options: { timeout: 1, maxTries: 1 } });
	expect(seen).toMatchObject([
		{ message: expect.stringMatching(message), error: { outcome: 'notSent' } },
	]);
	// However the sign-in ends later, the request must never be sent.
	respondToSignIn();
	await comeToRest();
	expect(service.paths).toEqual(['/authpass/Token.php']);
});

test('an item cancelled while the credential is read again is not sent, and there is no sign-in', async () => {
	service = await startFakeService((_, response) => response.end('{"shiftScheduleID": 1}'));
	const cancel = new AbortController();
	const stale = JSON.stringify({ accessToken: 'x', settings: 'of another account', obtainedAt: 1 });
	const store = credentialsFor(service.url, { accessToken: stale });
	const read = store.read.bind(store);
	let reads = 0;
	store.read = (id) => {
		if (++reads === 2) cancel.abort();
		return read(id);
	};
	expect(await create({ credentials: store, cancel: cancel.signal })).toMatchObject([
		{ message: 'The execution was cancelled', error: { outcome: 'notSent' } },
	]);
	expect(service.paths).toEqual([]);
});

test('a missing stored file is reported before anything is sent', async () => {
	service = await startFakeService((_, response) => response.end('{"fileGUID": "1"}'));
	const file = { data: 'eA==', mimeType: 'text/plain', fileName: 'x.txt' };
	const there = { json: {}, binary: { data: file } };
	const gone = { json: {}, binary: { data: { ...file, id: 'filesystem-v2:no/such/file' } } };
	const upload = (nodeSettings: RunOptions['nodeSettings']) =>
		runNode({
			node: new AgencyFiles(),
			parameters: {},
			items: [there, gone],
			credentials: credentials(),
			nodeSettings,
		});
	const stopped = await upload({});
	expect(stopped.error?.message).toMatch(/'Input Data Field Name'.*\[row 2 \(item 1\)\]/);
	expect(service.paths).toEqual([]);
	const { json } = await upload(continueOnFail);
	expect(json).toMatchObject([{ fileGUID: '1' }, { error: { outcome: 'notSent' } }]);
});

test.each([
	['of an unknown authority', {}, /does not know who issued.*NODE_EXTRA_CA_CERTS/],
	['that is out of date', { daysAgo: 2 }, /certificate has expired.*valid today/],
	['for another host', { host: 'localhost' }, /the certificate is for another host.*for this host/],
])('a certificate %s is tried once, and the problem is named', async (_, of, says) => {
	const { daysAgo = 0, host = '127.0.0.1' } = of as { daysAgo?: number; host?: string };
	service = await startFakeService((__, response) => response.end());
	const { key, certificate } = await selfSignedIdentity(Date.now() - daysAgo * 86_400_000);
	const server = createServer({ key, cert: certificate });
	const authorities = tls.getCACertificates();
	if (daysAgo > 0 || host === 'localhost')
		tls.setDefaultCACertificates([...authorities, certificate]);
	let connections = 0;
	server.on('connection', () => connections++);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `https://${host}:${(server.address() as AddressInfo).port}`;
	const seen = await create({ credentials: credentialsFor(url), items: namedRows(3) });
	server.close();
	tls.setDefaultCACertificates(authorities);
	const error = { code: 'noConnection', outcome: 'notSent', retryable: false };
	const message = expect.stringMatching(says) as string;
	expect(seen).toMatchObject(Array(3).fill({ message, error }));
	expect(seen[0]!.message).not.toContain("'Base URL'");
	expect(connections).toBe(1);
});
