// The service at its quickest: answers without looking, after a set time. A process of its own.
// Argument: milliseconds every answer waits. GET /stats gives the most connections since the last time.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { finished } from 'node:stream/promises';

export interface Stats {
	/** Most connections open at once. */
	connections: number;
	requests: number;
}

const latency = Number(process.argv[2] ?? 0);
const totalRows = 100_000;

/** Connections that carried a request; those of /stats are the benchmark's own. */
const open = new Set<Socket>();
let stats: Stats = { connections: 0, requests: 0 };
let lastId = 100;

function readBody(request: IncomingMessage): Promise<string> {
	return new Promise((resolve) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => resolve(text));
	});
}

const vendor = (rowNum: number) => ({
	rowNum,
	rowVersion: 'AAAAAAAACX8=',
	archived: false,
	departmentBusinessID: rowNum,
	name: `Vendor ${rowNum}`,
	street1: `${rowNum} Main Street`,
	city: 'Springfield',
	state: 'CA',
	zip: '90001',
	phone: '555-0100',
});

/** Pages are cut from text made in advance, so that the service is not what is measured. */
const rows = Array.from({ length: totalRows }, (_, n) => JSON.stringify(vendor(n + 1)));

function page(url: URL): string {
	const offset = Number(url.searchParams.get('offset') ?? 0);
	const limit = Number(url.searchParams.get('limit') ?? 100);
	return `{"totalRows":${totalRows},"vendors":[${rows.slice(offset, offset + limit).join(',')}]}`;
}

async function answerTo(request: IncomingMessage, url: URL): Promise<[number, string]> {
	if (url.pathname === '/agencyfiles/files') {
		await finished(request.resume());
		return [201, JSON.stringify({ fileID: ++lastId, fileGUID: 'x', fileSize: 0 })];
	}
	const body = await readBody(request);
	if (url.pathname.endsWith('Token.php')) return [200, '{"access_token":"t","expires_in":3600}'];
	if (request.method === 'GET') return [200, page(url)];
	if (request.method === 'PATCH') {
		const patches = JSON.parse(body) as Array<{ path: Array<{ path: string }> }>;
		const ok = patches.flatMap(({ path }) => path.map((entry) => ({ ...entry, status: 200 })));
		return [200, JSON.stringify({ ok })];
	}
	return [201, `{"shiftScheduleID":${++lastId}}`];
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const url = new URL(request.url!, 'http://service');
	if (url.pathname === '/stats') {
		response.end(JSON.stringify(stats));
		stats = { connections: open.size, requests: 0 };
		return;
	}
	stats.requests++;
	open.add(request.socket);
	stats.connections = Math.max(stats.connections, open.size);
	const [status, body] = await answerTo(request, url);
	const send = () => {
		response.writeHead(status, { 'content-type': 'application/json' }).end(body);
	};
	if (latency > 0) setTimeout(send, latency);
	else send();
}

const server = createServer((request, response) => void respond(request, response));
server.on('connection', (socket) => socket.on('close', () => open.delete(socket)));
// All items at once, as some ways of asking do.
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () =>
	console.log((server.address() as AddressInfo).port),
);
