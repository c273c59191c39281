// Processor time of answers of 1 MB that are read as streams: with n8n's `maxContentLength: Infinity`, and with axios' own -1.
import { once } from 'node:events';
import { createServer } from 'node:http';

import axios from 'axios';

const megabyte = Buffer.alloc(1e6, ' ');
const server = createServer((_, response) => response.end(megabyte));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const read = async (maxContentLength) => {
	const { data } = await axios.get(url, { responseType: 'stream', maxContentLength });
	await once(data.resume(), 'close');
	return data.constructor.name;
};
for (const limit of [-1, Infinity, -1, Infinity, -1, Infinity]) {
	const before = process.cpuUsage();
	let stream;
	for (let count = 0; count < 200; count++) stream = await read(limit);
	const { user, system } = process.cpuUsage(before);
	console.log(`${limit}: ${stream}, ${Math.round((user + system) / 200)} µs for each answer`);
}
process.exit();
