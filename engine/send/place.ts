// A run's place in the line to the service: where its requests wait for their turn.
import type { EndTurn, Line, Waiting } from './line';

export class Place implements Waiting {
	private readonly waiting: Array<(end: EndTurn | undefined) => void> = [];

	private underWay = 0;

	/** Told when none of its requests waits any more. */
	private readonly listeners: Array<() => void> = [];

	/**
	 * @param width most of them under way at once, 1 or more
	 * @param stop ends all waiting
	 */
	constructor(
		private readonly line: Line,
		readonly kind: string,
		readonly isWriting: boolean,
		private readonly width: number,
		private readonly stop: AbortSignal,
	) {
		stop.addEventListener('abort', () => this.leave());
	}

	get wantsTurn(): boolean {
		return this.waiting.length > 0 && this.underWay < this.width;
	}

	/** Waits for a request's turn, first come, first served; undefined when the run has ended. */
	async turn(): Promise<EndTurn | undefined> {
		if (this.stop.aborted) return undefined;
		return await new Promise((resolve) => {
			this.waiting.push(resolve);
			this.line.join(this);
		});
	}

	serve(end: EndTurn): void {
		this.underWay++;
		this.waiting.shift()!((seen) => {
			this.underWay--;
			end(seen);
		});
		if (this.waiting.length === 0) this.tell();
	}

	/** Resolves when none of its requests waits. */
	async served(): Promise<void> {
		if (this.waiting.length === 0) return;
		await new Promise<void>((resolve) => this.listeners.push(resolve));
	}

	private leave(): void {
		for (const resolve of this.waiting.splice(0)) resolve(undefined);
		this.line.leave(this);
		this.tell();
	}

	private tell(): void {
		for (const listener of this.listeners.splice(0)) listener();
	}
}
