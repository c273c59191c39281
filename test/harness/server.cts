// A service that does what a test wants of it: signs everyone in, each time with another token
// (fake-access-token-1, -2, …), then answers as told. It is closed after the test, or by who began it before all tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeService {
	url: string;
	/** Paths asked for, token requests included, in order. */
	readonly paths: string[];
	/** Those of them that asked for a token, and the others. */
	readonly signIns: string[];
	readonly requests: string[];
	close(): Promise<void>;
}

/** Those that are closed after the test. */
const ofTest: FakeService[] = [];
afterEach(() => Promise.all(ofTest.splice(0).map((service) => service.close())));

/** @param body what was sent; nothing when the answer is to come before it is read */
type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

async function start(
	respond: Respond,
	signsIn: boolean,
	readsFirst: boolean,
): Promise<FakeService> {
	const paths: string[] = [];
	let tokens = 0;
	const server = createServer((request, response) => {
		paths.push(request.url!);
		const isTokenRequest = signsIn && request.url === '/authpass/Token.php';
		if (!readsFirst && !isTokenRequest) return respond(request, response, '');
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (!isTokenRequest) return respond(request, response, Buffer.concat(chunks).toString());
			const access_token = `fake-access-token-${++tokens}`;
			response.end(JSON.stringify({ access_token, expires_in: 60 }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		paths,
		get signIns() {
			return paths.filter((path) => path.includes('Token'));
		},
		get requests() {
			return paths.filter((path) => !path.includes('Token'));
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** For all tests of a file. */
export const startLastingService = (respond: Respond): Promise<FakeService> =>
	start(respond, true, true);

async function startForTest(...how: Parameters<typeof start>): Promise<FakeService> {
	const service = await start(...how);
	ofTest.push(service);
	return service;
}

/** @param signsIn whether token requests get a token, or are answered like all others */
export const startFakeService = (respond: Respond, signsIn = true): Promise<FakeService> =>
	startForTest(respond, signsIn, true);

/** Answers as soon as a request begins; whether its body is ever read is up to the answer. */
export const startHastyService = (respond: Respond): Promise<FakeService> =>
	startForTest(respond, true, false);
