// A service that a test controls: it signs everyone in, each time with a new token (fake-access-token-1, -2, …), then
// responds as told. It is closed after the test, or by the code that started it before all tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeService {
	url: string;
	/** The requested paths in order, including token requests. */
	readonly paths: string[];
	/** The token requests among them, and the others. */
	readonly signIns: string[];
	readonly requests: string[];
	close(): Promise<void>;
}

/** Those that are closed after the test. */
const ofTest: FakeService[] = [];
afterEach(() => Promise.all(ofTest.splice(0).map((service) => service.close())));

/** @param body the sent body; empty if the response comes before it is read */
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

/** @param signsIn whether token requests get a token, or the same response as all others */
export const startFakeService = (respond: Respond, signsIn = true): Promise<FakeService> =>
	startForTest(respond, signsIn, true);

/** Responds as soon as a request begins; the response decides whether the body is ever read. */
export const startHastyService = (respond: Respond): Promise<FakeService> =>
	startForTest(respond, true, false);
