// The line to the service: what this process has learned of how much an account's service bears. All runs and
// nodes of the process with the same account share it.
import type { Account } from '../auth/account';
import { moment } from '../http/clock';
import { CongestionWindow, type Seen } from './window';

/** Milliseconds: the service is asked again after an hour, however long it asked to wait. */
const longestHold = 3_600_000;

/** Ends a request's turn: to be called once, when it has come to its end, or is not sent after all. */
export type EndTurn = (seen: Seen) => void;

/** One run, as the line sees it. */
export interface Waiting {
	/** Kind of its requests: the route of its operation. */
	readonly kind: string;
	/** Whether its requests change something. */
	readonly isWriting: boolean;
	/** Whether it has a request to send. */
	readonly wantsTurn: boolean;
	/** Gives the first of its requests its turn. */
	serve: (end: EndTurn) => void;
}

export class Line {
	private readonly window = new CongestionWindow();

	/** By performance.now(): what the service asked one request to wait for, all wait for. */
	private notBefore = -Infinity;

	/** Runs that have a request to send, first come, first served: each stands here once, whatever it has to send. */
	private readonly waiting: Waiting[] = [];

	/** Holds all requests back. */
	holdBack(milliseconds: number): void {
		const asked = performance.now() + Math.min(milliseconds, longestHold);
		this.notBefore = Math.max(this.notBefore, asked);
	}

	/** Milliseconds until a request may be sent; 0 or less: now. */
	get hold(): number {
		return this.notBefore - performance.now();
	}

	join(run: Waiting): void {
		this.stand(run);
		this.serve();
	}

	leave(run: Waiting): void {
		const at = this.waiting.indexOf(run);
		if (at >= 0) this.waiting.splice(at, 1);
		this.serve();
	}

	/** Puts a run at the end of the line, if it has something to send. */
	private stand(run: Waiting): void {
		if (run.wantsTurn && !this.waiting.includes(run)) this.waiting.push(run);
	}

	private serve(): void {
		for (;;) {
			const [run] = this.waiting;
			if (!run || !this.window.admits(run.isWriting)) return;
			this.waiting.shift();
			const ticket = this.window.begin(moment());
			run.serve((seen) => {
				this.window.end(ticket, run.kind, seen, moment());
				this.join(run);
			});
			this.stand(run);
		}
	}
}

/** Forgotten with their accounts. */
const lines = new WeakMap<Account, Line>();

/** @returns the one line of this process to this account's service */
export function lineOf(account: Account): Line {
	const line = lines.get(account) ?? new Line();
	lines.set(account, line);
	return line;
}
