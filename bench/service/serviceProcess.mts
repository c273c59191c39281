// A service that answers as fast as it can, in a process of its own. Its argument is ServiceOptions as JSON. It sends
// its port to the parent process, and answers each message of the parent with what it has counted since the last one.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import { answerRequest } from './answers.mts';
import type { TlsIdentity } from './certificate.mts';

export interface ServiceOptions {
	/** The milliseconds before each answer. */
	latency: number;
	/** How many requests it serves at once; the others wait in a queue, first come, first served. */
	capacity?: number;
	/** The key and the certificate for TLS; without them it speaks plain HTTP. */
	tlsIdentity?: TlsIdentity;
}

export interface ServiceCounts {
	/** The highest number of connections that were open at once. */
	connections: number;
	/** The highest number of requests that had arrived and were waiting to be served. */
	waiting: number;
}

const {
	latency,
	capacity = Infinity,
	tlsIdentity,
} = JSON.parse(process.argv[2]!) as ServiceOptions;

/** The connections that may still carry a request or an answer, by the client's port. */
const openConnections = new Set<number | undefined>();
let serving = 0;
const queue: Array<() => void> = [];
let highest: ServiceCounts = { connections: 0, waiting: 0 };

/** Answers after the latency, once fewer requests than the capacity are being served. */
function serve(send: () => void): void {
	if (latency === 0) return send();
	if (serving >= capacity) {
		queue.push(send);
		highest.waiting = Math.max(highest.waiting, queue.length);
		return;
	}
	serving++;
	setTimeout(() => {
		serving--;
		send();
		const next = queue.shift();
		if (next) serve(next);
	}, latency);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const [status, body] = await answerRequest(request);
	serve(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
}

const server = tlsIdentity
	? createTlsServer({ key: tlsIdentity.key, cert: tlsIdentity.certificate })
	: createServer();
server.on('connection', (socket: Socket) => {
	const { remotePort } = socket;
	openConnections.add(remotePort);
	highest.connections = Math.max(highest.connections, openConnections.size);
	socket.on('close', () => openConnections.delete(remotePort));
});
server.on('request', (request, response) => {
	const { remotePort } = request.socket;
	// A client may open its next connection before the close of this one is noticed here, so it is counted as closed
	// once its last answer has been sent.
	response.on('finish', () => response.shouldKeepAlive || openConnections.delete(remotePort));
	// A client that disconnected while it sent the request needs no answer.
	respond(request, response).catch(() => response.destroy());
});
process.on('message', () => {
	process.send!(highest);
	highest = { connections: openConnections.size, waiting: queue.length };
});
process.on('disconnect', () => process.exit());
// The HTTP Request node and declarative nodes open a connection for every item at once.
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () =>
	process.send!((server.address() as AddressInfo).port),
);
