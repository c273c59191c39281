// A service that does what a test wants of it: signs everyone in, each time with another token
// (fake-access-token-1, -2, …), then answers as told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeService {
	url: string;
	/** Paths asked for, token requests included, in order. */
	paths: string[];
	close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** @param signsIn whether token requests get a token, or are answered like all others */
export async function startFakeService(answer: Answer, signsIn = true): Promise<FakeService> {
	const paths: string[] = [];
	let tokens = 0;
	const server = createServer((request, response) => {
		paths.push(request.url!);
		request.resume();
		request.on('end', () => {
			if (!signsIn || request.url !== '/authpass/Token.php') return answer(request, response);
			const access_token = `fake-access-token-${++tokens}`;
			response.end(JSON.stringify({ access_token, expires_in: 60 }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		paths,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
