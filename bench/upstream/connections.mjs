// How many connections n8n's request helper opens for 100 requests, one after another, beside axios with one agent.
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { createRequire } from 'node:module';

import axios from 'axios';

const ofN8nCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const { Container } = ofN8nCore('@n8n/di');
const { OutboundHttp } = ofN8nCore('@n8n/backend-network');
const { request } = Container.get(OutboundHttp).requests();
let connections = 0;
const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
server.on('connection', () => connections++);
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const httpAgent = new Agent({ keepAlive: true });
const senders = { n8n: () => request({ url }), axios: () => axios.get(url, { httpAgent }) };
for (const [name, send] of Object.entries(senders)) {
	connections = 0;
	for (let count = 0; count < 100; count++) await send();
	console.log(`${name}: 100 requests, ${connections} connections`);
}
process.exit();
