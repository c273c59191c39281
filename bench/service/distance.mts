// A distance between two processes of this machine, a process of its own. Arguments: the port to lead to, and
// the milliseconds there and back. Tells its port. What comes in leaves half a round trip later, in its order,
// and what is sent on a new connection one round trip later still: a real one is made in that time.
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

const [port, roundTrip] = process.argv.slice(2).map(Number) as [number, number];

/** @param openAt by performance.now(): when the sender's connection is made */
function carry(from: Socket, to: Socket, openAt: number): void {
	const onTheWay: Array<() => void> = [];
	const later = (arrive: () => void) => {
		const leaves = Math.max(performance.now(), openAt);
		onTheWay.push(arrive);
		// Whichever timer is first, the first that left arrives first.
		setTimeout(() => onTheWay.shift()!(), leaves + roundTrip / 2 - performance.now());
	};
	from.on('data', (bytes) => later(() => to.write(bytes)));
	from.on('end', () => later(() => to.end()));
	from.on('error', () => later(() => to.resetAndDestroy()));
}

const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
	const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
	const now = performance.now();
	carry(near, far, now + roundTrip);
	carry(far, near, now);
});
process.on('disconnect', () => process.exit());
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () =>
	process.send!((server.address() as AddressInfo).port),
);
