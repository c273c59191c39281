// The service at its quickest, a process of its own. Argument: a Service as JSON. Tells its port, then, whenever
// it is asked, what it has counted since the last time.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import { answerTo } from './answers.mts';
import type { Identity } from './certificate.mts';

export interface Service {
	/** Milliseconds every answer takes. */
	latency: number;
	/** How many requests it serves at once; the others wait, first come, first served. */
	capacity?: number;
	/** Speaks TLS. */
	identity?: Identity;
}

export interface Counts {
	/** Most connections open at once. */
	connections: number;
	/** Most requests that were in at once and not being served. */
	waiting: number;
}

const { latency, capacity = Infinity, identity } = JSON.parse(process.argv[2]!) as Service;

/** Connections over which there may be more to say, by the client's port. */
const open = new Set<number | undefined>();
let serving = 0;
const line: Array<() => void> = [];
let most: Counts = { connections: 0, waiting: 0 };

/** Answers in its turn, after the time that takes. */
function serve(send: () => void): void {
	if (latency === 0) return send();
	if (serving >= capacity) {
		line.push(send);
		most.waiting = Math.max(most.waiting, line.length);
		return;
	}
	serving++;
	setTimeout(() => {
		serving--;
		send();
		const next = line.shift();
		if (next) serve(next);
	}, latency);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const [status, body] = await answerTo(request);
	serve(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
}

const server = identity
	? createTlsServer({ key: identity.key, cert: identity.certificate })
	: createServer();
server.on('connection', (socket: Socket) => {
	const { remotePort } = socket;
	open.add(remotePort);
	most.connections = Math.max(most.connections, open.size);
	socket.on('close', () => open.delete(remotePort));
});
server.on('request', (request, response) => {
	const { remotePort } = request.socket;
	// The client may begin the next one before the end of this one is noticed here.
	response.on('finish', () => response.shouldKeepAlive || open.delete(remotePort));
	// Who broke off while sending needs no answer.
	respond(request, response).catch(() => response.destroy());
});
process.on('message', () => {
	process.send!(most);
	most = { connections: open.size, waiting: line.length };
});
process.on('disconnect', () => process.exit());
// All items at once, as some ways of asking do.
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () =>
	process.send!((server.address() as AddressInfo).port),
);
