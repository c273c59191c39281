// A relay in a process of its own that adds a network delay between two processes of this machine. Its arguments are
// the port to forward to and the round trip in milliseconds; it sends its own port to the parent process. Every chunk
// is forwarded in order, half a round trip after it arrived. Data on a new connection waits one more round trip,
// because opening a real connection takes that long.
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

const [port, roundTrip] = process.argv.slice(2).map(Number) as [number, number];

/** @param openAt the time, by performance.now(), at which the sender's connection counts as made */
function forward(from: Socket, to: Socket, openAt: number): void {
	const inTransit: Array<() => void> = [];
	const later = (deliver: () => void) => {
		const leaves = Math.max(performance.now(), openAt);
		inTransit.push(deliver);
		// Timers may fire out of order, so each delivers the oldest chunk instead of its own.
		setTimeout(() => inTransit.shift()!(), leaves + roundTrip / 2 - performance.now());
	};
	from.on('data', (bytes) => later(() => to.write(bytes)));
	from.on('end', () => later(() => to.end()));
	from.on('error', () => later(() => to.resetAndDestroy()));
}

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
	const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
	const now = performance.now();
	forward(client, service, now + roundTrip);
	forward(service, client, now);
});
process.on('disconnect', () => process.exit());
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () =>
	process.send!((server.address() as AddressInfo).port),
);
