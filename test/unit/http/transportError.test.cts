// Whether a request may have arrived, from real connections that fail at every stage.
import { spawn, type ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import {
	connect,
	createServer,
	type AddressInfo,
	type LookupFunction,
	type Server,
	type Socket,
} from 'node:net';

import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

import {
	connectionFault,
	mayHaveBeenSent,
	type TransportError,
} from '../../../engine/http/transportError';
import { runNode } from '../../harness/run.cts';
import { comeToRest } from '../../harness/eventLoop.cts';
import { credentialsFor } from '../../harness/useSandbox.cts';

/** Ends the request of a test that would wait forever. */
let abandon: () => void = () => {};

/** A POST through n8n's own HTTP client, until the test aborts it. @returns the thrown error */
async function post(options: Partial<IHttpRequestOptions>): Promise<TransportError> {
	let thrown: TransportError | undefined;
	const abort = new AbortController();
	abandon = () => abort.abort();
	const node = {
		description: { name: 'probe', properties: [], inputs: [], outputs: ['main'] },
		async execute(this: IExecuteFunctions) {
			await this.helpers
				.httpRequest({
					url: '',
					method: 'POST',
					body: { name: 'A' },
					disableFollowRedirect: true,
					timeout: 0,
					abortSignal: abort.signal,
					...options,
				})
				.catch((error: TransportError) => (thrown = error));
			return [[]];
		},
	} as unknown as INodeType;
	await runNode({ node, parameters: {}, credentials: credentialsFor('') });
	if (!thrown) throw new Error('The request did not fail');
	return thrown;
}

async function listening(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	servers.push(server);
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(async () => {
	for (const child of children) child.kill('SIGKILL');
	for (const socket of sockets) socket.destroy();
	await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A bare TCP server that does something with the first bytes of a connection. */
const tcp = (onData: (socket: Socket) => void) =>
	listening(
		createServer((socket) => {
			sockets.add(socket);
			socket.on('error', () => {});
			socket.once('data', () => onData(socket));
		}),
	);

/** A port whose queue of new connections is full, because a sleeping process accepts none. */
async function full(): Promise<string> {
	const program = `
		const server = require('node:net').createServer();
		server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
			require('node:fs').writeSync(1, String(server.address().port));
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
		});`;
	const child = spawn(process.execPath, ['-e', program]);
	children.push(child);
	const [port] = (await once(child.stdout, 'data')) as [Buffer];
	for (let filled = 0; filled < 4; filled++) {
		const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
		sockets.add(socket);
	}
	return `127.0.0.1:${String(port)}`;
}
const children: ChildProcess[] = [];

/** Like full(); the client gives up once it has tried to connect. */
async function unreachable(): Promise<string> {
	const address = await full();
	const onSocket = () => {
		unsubscribe('net.client.socket', onSocket);
		void comeToRest().then(abandon);
	};
	subscribe('net.client.socket', onSocket);
	return address;
}

/** TLS without a certificate: both sides know a key (RFC 4279). */
const psk = { ciphers: 'PSK', maxVersion: 'TLSv1.2', minVersion: 'TLSv1.2' } as const;
const key = Buffer.from('a shared key');
const tls = (response: (socket: Socket) => void) =>
	listening(
		createHttpsServer({ ...psk, pskCallback: () => key }, ({ socket }) => {
			sockets.add(socket);
			response(socket);
		}),
	);
const tlsClient = {
	agentOptions: {
		...psk,
		pskCallback: () => ({ psk: key, identity: 'test' }),
		checkServerIdentity: () => undefined,
	},
} as unknown as Partial<IHttpRequestOptions>;

/** Sends no response; the client gives up once its bytes have arrived. */
const mute = () => abandon();
const reset = (socket: Socket) => socket.resetAndDestroy();
const hangUp = (socket: Socket) => void socket.end();

const http = (response: (socket: Socket) => void) => async () => `http://${await tcp(response)}`;
const https = (response: (socket: Socket) => void) => async () => `https://${await tcp(response)}`;
const overTls = (response: (socket: Socket) => void) => async () =>
	`https://${await tls(response)}`;
const wordy = (socket: Socket) =>
	void socket.write(`HTTP/1.1 201 Created\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
const smtp = (socket: Socket) => void socket.write('220 smtp\r\n');

test.each<[string, () => Promise<string>, boolean, RegExp, Partial<IHttpRequestOptions>?]>([
	['connection refused', async () => 'http://127.0.0.1:9', false, /nothing is listening there/],
	['no such host', async () => 'http://records.invalid', false, /host/],
	['no connection in time', async () => `http://${await unreachable()}`, false, /in time/],
	['TLS: no response', https(mute), false, /in time/],
	['TLS: reset', https(reset), false, /broke/],
	['TLS: not spoken', https(smtp), false, /\(TLS\)/],
	['TLS: no common ground', overTls(mute), false, /./],
	['hung up', http(hangUp), true, /broke/],
	['not HTTP', http(smtp), true, /does not speak HTTP/],
	['20 kB of headers', http(wordy), true, /headers .* too large/],
	['no response over TLS', overTls(mute), true, /in time/, tlsClient],
	['hung up over TLS', overTls(hangUp), true, /broke/, tlsClient],
])('%s', async (_, listen, maybeSent, expected, options = {}) => {
	const url = await listen();
	const error = await post({ url, ...options });
	expect(mayHaveBeenSent(error)).toBe(maybeSent);
	const { words } = connectionFault(error, url);
	expect(words).toMatch(expected);
	expect(words).not.toMatch(/E[A-Z]{4,}/);
});

/** Properties that only Node.js' own request has. */
const native = { reusedSocket: false };

test.each([
	['nothing at all', undefined],
	['an error of nobody knows what', { message: 'reconnect EPIPE' }],
	["an aborted request that n8n's client has lost", { code: 'ERR_CANCELED' }],
	["undici's connection", { code: 'UND_ERR_SOCKET', message: 'other side closed' }],
	["undici's time-out while connecting", { code: 'UND_ERR_CONNECT_TIMEOUT' }],
	['a reset without a request', { code: 'ECONNRESET' }],
	['a read that timed out', { code: 'ETIMEDOUT', message: 'read ETIMEDOUT' }],
	['a network that was lost', { code: 'ENETUNREACH', message: 'write ENETUNREACH' }],
	['a firewall that rejects', { code: 'ECONNREFUSED', message: 'read ECONNREFUSED' }],
	['a host that was lost', { code: 'EHOSTUNREACH', message: 'read EHOSTUNREACH' }],
	["another transport's request", { request: {} }],
	["another transport's request without a socket", { request: { socket: null } }],
	['a request that does not show its socket', { request: { ...native } }],
	['a request whose socket is gone', { request: { ...native, socket: undefined } }],
	['a request whose socket tells nothing', { request: { ...native, socket: {} } }],
	['a socket that has written', { request: { ...native, socket: { _bytesDispatched: 1 } } }],
])('an unknown error counts as sent: %s', (_, error) => {
	expect(mayHaveBeenSent(error)).toBe(true);
});

test.each([
	['a host out of reach', { code: 'EHOSTUNREACH', message: 'connect EHOSTUNREACH 192.0.2.1:443' }],
	['no connection in time', { code: 'ETIMEDOUT', message: 'connect ETIMEDOUT 192.0.2.1:443' }],
	['a request that never had a socket', { request: { ...native, socket: null } }],
	['a socket that wrote nothing', { request: { ...native, socket: { _bytesDispatched: 0 } } }],
])('proof that nothing was sent: %s', (_, error) => {
	expect(mayHaveBeenSent(error)).toBe(false);
});

test('if each address of a host refuses, Node.js throws one error without a message', async () => {
	const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
	const lookup: LookupFunction = (_host, _options, found) => found(null, addresses);
	const socket = connect({ host: 'two.invalid', port: 9, lookup });
	const [error] = (await once(socket, 'error')) as [TransportError];
	expect(error.message).toBe('');
	expect(mayHaveBeenSent(error)).toBe(false);
});

const proxy = /proxy/;
test.each<[string, string, RegExp | undefined, string?]>([
	['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.5:3128', proxy],
	['ECONNREFUSED', 'connect ECONNREFUSED ::1:3128', proxy],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.5:8080', proxy],
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.5:443 - Local (10.0.0.2:5050)', undefined],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND proxy.internal', proxy],
	['EAI_AGAIN', 'getaddrinfo EAI_AGAIN proxy.internal', proxy],
	['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.5:8443', undefined, 'https://r.org:8443/x'],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND records.example.org', undefined],
	['ECONNREFUSED', '', undefined],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate', /NODE_EXTRA/],
	['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', /NODE_EXTRA/],
	['CERT_HAS_EXPIRED', 'certificate has expired', /valid today/],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname does not match', /for this host/],
])(
	'the cause of a failed connection: %s: %s',
	(code, message, expected, baseUrl = 'https://Records.example.org') => {
		const { words, advice, isFinal = false } = connectionFault({ code, message }, baseUrl);
		expect(words.includes('the proxy')).toBe(expected === proxy);
		if (expected === undefined) expect(advice).toBeUndefined();
		else expect(advice).toMatch(expected === proxy ? /HTTPS_PROXY.*NO_PROXY/ : expected);
		expect(isFinal).toBe(expected !== undefined && expected !== proxy);
	},
);
