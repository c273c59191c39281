// One process of n8n with a thousand service accounts, all at once: each signs in once, none waits for the others much
// longer than it must, and a wrong password among them is tried once. ACCOUNTS sets how many there are.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AgencyShiftSchedules } from '../../nodes/AgencyShiftSchedules/AgencyShiftSchedules.node';
import { median } from '../../bench/report.mts';
import { runNode } from '../harness/run';
import { credentialsFor } from '../harness/useSandbox';

const accounts = Number(process.env.ACCOUNTS ?? 1000);
const rows = 20;
/** Milliseconds until the service answers. */
const latency = 20;
const runsWithWrongPassword = 5;
const wrong = 'department 0';

let server: Server;
let url: string;
const signIns = new Map<string, number>();
const created = new Map<string, number>();
const connections = { open: 0, most: 0 };

beforeAll(async () => {
	server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			const isSignIn = request.url!.endsWith('Token.php');
			const { username } = isSignIn ? (JSON.parse(body) as { username: string }) : { username: '' };
			const user = isSignIn ? username : request.headers.authorization!.replace('Bearer ', '');
			const counts = isSignIn ? signIns : created;
			counts.set(user, (counts.get(user) ?? 0) + 1);
			const isRefused = isSignIn && user === wrong;
			setTimeout(() => {
				response.writeHead(isRefused ? 400 : isSignIn ? 200 : 201);
				const answer = isRefused
					? { error: 'invalid_grant' }
					: isSignIn
						? { access_token: user, expires_in: 3600 }
						: { shiftScheduleID: 1 };
				response.end(JSON.stringify(answer));
			}, latency);
		});
	});
	server.on('connection', (socket) => {
		connections.most = Math.max(connections.most, ++connections.open);
		socket.on('close', () => connections.open--);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test(`${accounts} accounts × ${rows} rows at once, one of them with a wrong password`, async () => {
	const credentialOf = (username: string) =>
		credentialsFor(url, { username, authorizationHeader: 'bearer' });
	const create = (username: string) =>
		runNode({
			node: new AgencyShiftSchedules(),
			parameters: { specifyFields: 'inputItem' },
			items: Array.from({ length: rows }, (_, row) => ({ name: `${username}, row ${row}` })),
			credentials: credentialOf(username),
		});
	const others = Array.from({ length: accounts - 1 }, (_, n) => `department ${n + 1}`);
	await create(wrong);
	const memoryBefore = process.memoryUsage().rss;
	const begun = performance.now();
	const times = await Promise.all(
		others.map(async (username) => {
			const { json, error } = await create(username);
			expect(error).toBeUndefined();
			expect(json).toHaveLength(rows);
			return performance.now() - begun;
		}),
	);
	const memory = process.memoryUsage().rss - memoryBefore;
	for (let run = 1; run < runsWithWrongPassword; run++) {
		const { error } = await create(wrong);
		expect(error?.message).toMatch(/Sign-in was refused/);
	}
	const [slowest, middle] = [Math.max(...times), median(times)];
	console.log(
		`${accounts} accounts × ${rows} rows: ${Math.round(slowest)} ms, median ${Math.round(middle)} ms; ` +
			`${connections.most} connections at most; ${Math.round(memory / 2 ** 20)} MB more`,
	);
	// A refused sign-in is tried again after a minute at the earliest, which a busy machine may take for all this.
	const minutes = Math.floor((performance.now() - begun) / 60_000);
	expect(signIns.get(wrong)).toBeLessThanOrEqual(1 + minutes);
	expect(others.filter((username) => signIns.get(username) !== 1)).toEqual([]);
	expect(others.filter((username) => created.get(username) !== rows)).toEqual([]);
	// The service counts a connection until it is closed at both ends.
	expect(connections.most).toBeLessThan(600);
	expect(slowest).toBeLessThan(3 * middle);
}, 600_000);
