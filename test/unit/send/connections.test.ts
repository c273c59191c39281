import { Connections, type ConnectionUser } from '../../../engine/send/connections';

/** An account that wants so many connections, and takes what it may have. */
class Account implements ConnectionUser {
	inflight = 0;

	constructor(
		private readonly connections: Connections,
		private wanted: number,
	) {
		this.takeConnections();
	}

	takeConnections(): void {
		while (this.wanted > 0 && this.connections.take(this)) {
			this.inflight++;
			this.wanted--;
		}
		if (this.wanted === 0) this.connections.leave(this);
	}

	/** One of its requests ends. */
	end(): void {
		if (this.inflight === 0) return;
		this.inflight--;
		this.connections.giveBack();
		this.takeConnections();
	}
}

const sum = (accounts: readonly Account[]) =>
	accounts.reduce((all, { inflight }) => all + inflight, 0);

test('all accounts together have 512 at most, and each gets its turn', () => {
	const connections = new Connections();
	const accounts = Array.from({ length: 600 }, () => new Account(connections, 20));
	expect(sum(accounts)).toBe(512);
	const served = new Set<Account>();
	for (let round = 0; round < 3; round++) {
		for (const account of accounts) {
			account.end();
			expect(sum(accounts)).toBeLessThanOrEqual(512);
			for (const each of accounts) if (each.inflight > 0) served.add(each);
		}
	}
	expect(served.size).toBe(600);
	for (let n = 0; n < 20_000 && sum(accounts) > 0; n++) accounts[n % 600]!.end();
	expect(sum(accounts)).toBe(0);
});

test('accounts whose requests hang leave room for the others', () => {
	const connections = new Connections();
	const hanging = Array.from({ length: 4 }, () => new Account(connections, 256));
	expect(sum(hanging)).toBeLessThanOrEqual(512);
	const others = Array.from({ length: 8 }, () => new Account(connections, 3));
	for (const { inflight } of others) expect(inflight).toBe(3);
});

test('two accounts that want much have equally much in the end', () => {
	const connections = new Connections();
	const [one, other] = [new Account(connections, 5000), new Account(connections, 5000)];
	expect(one.inflight).toBeGreaterThan(other.inflight);
	for (let n = 0; n < 300; n++) {
		one.end();
		other.end();
	}
	expect(Math.abs(one.inflight - other.inflight)).toBeLessThanOrEqual(1);
	expect(one.inflight).toBeGreaterThan(150);
});

test('one account alone has half of them, and no more', () => {
	expect(new Account(new Connections(), 256).inflight).toBe(256);
	expect(new Account(new Connections(), 1000).inflight).toBe(256);
});
