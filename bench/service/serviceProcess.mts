// A service that responds as fast as it can, in a process of its own. Its argument is ServiceOptions as JSON. It sends
// its port to the parent process, and replies to each message from the parent with the highest number of connections
// open at once since the last message.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { respondTo } from './responses.mts';
import type { TlsIdentity } from './certificate.mts';

export interface ServiceOptions {
	/** The milliseconds before each response. */
	latency: number;
	/** The key and the certificate for TLS; without them it speaks plain HTTP. */
	tlsIdentity?: TlsIdentity;
}

const { latency, tlsIdentity } = JSON.parse(process.argv[2]!) as ServiceOptions;

/** The connections that may still carry a request or a response, by the client's port. */
const openConnections = new Set<number | undefined>();
let mostConnections = 0;

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const [status, body] = await respondTo(request);
	if (latency > 0) await delay(latency);
	response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

const server = tlsIdentity
	? createTlsServer({ key: tlsIdentity.key, cert: tlsIdentity.certificate })
	: createServer();
server.on('connection', (socket: Socket) => {
	const { remotePort } = socket;
	openConnections.add(remotePort);
	mostConnections = Math.max(mostConnections, openConnections.size);
	socket.on('close', () => openConnections.delete(remotePort));
});
server.on('request', (request, response) => {
	const { remotePort } = request.socket;
	// A client may open its next connection before this one is seen to close, so a connection counts as closed once its
	// last response has been sent.
	response.on('finish', () => response.shouldKeepAlive || openConnections.delete(remotePort));
	// A client that disconnected while it sent the request needs no response.
	respond(request, response).catch(() => response.destroy());
});
process.on('message', () => {
	process.send!(mostConnections);
	mostConnections = openConnections.size;
});
process.on('disconnect', () => process.exit());
// The HTTP Request node and declarative nodes open a connection for every item at once.
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () =>
	process.send!((server.address() as AddressInfo).port),
);
