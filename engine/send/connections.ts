// The connections of this process to all services, bounded together and shared fairly between the accounts.

/** Most connections of the process. The limit of open files that an operating system sets is often 1024. */
export const maxConnections = 512;

/** An account that sends requests; each request under way has one connection. */
export interface ConnectionUser {
	/** Requests under way. */
	readonly inflight: number;
	/** Takes connections, as many as it wants and may have. */
	takeConnections: () => void;
}

/**
 * An account may have as many connections as are still free. So one alone has half of them at most, whatever hangs;
 * those that want many have equally many, and there is room left for another one (dynamic thresholds, Choudhury and
 * Hahne 1998). Where even that is used up, accounts take turns.
 */
export class Connections {
	private open = 0;

	/** Accounts that want a connection when they may have one, first come, first served. */
	private readonly waiting = new Set<ConnectionUser>();

	/** @returns whether the account has got one; when it has not, it is told when its turn comes */
	take(user: ConnectionUser): boolean {
		if (!this.mayHaveMore(user)) {
			this.waiting.add(user);
			return false;
		}
		this.open++;
		return true;
	}

	/** A request has ended, and another account may have its connection. */
	giveBack(): void {
		this.open--;
		// Who takes the last one, and wants more, goes to the end of the line.
		if (this.waiting.size > 0)
			for (const user of [...this.waiting]) {
				if (!this.mayHaveMore(user)) continue;
				this.waiting.delete(user);
				user.takeConnections();
			}
	}

	/** The account has nothing to send now. */
	leave(user: ConnectionUser): void {
		this.waiting.delete(user);
	}

	private mayHaveMore({ inflight }: ConnectionUser): boolean {
		return inflight < maxConnections - this.open;
	}
}
