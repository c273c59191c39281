// How many requests are under way at once: more while the service answers well, half when it is overwhelmed.

/** Requests under way at the start, if the maximum allows. */
const initial = 4;

/**
 * A congestion window after TCP's (RFC 5681 §3.1), counted in requests: it doubles with every round of good
 * answers until the first setback, then grows by one a round; a setback halves it, once a round.
 */
export class CongestionWindow {
	private limit: number;

	/** Below it the window doubles. */
	private threshold = Infinity;

	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	/** Requests that began before the last setback say nothing new about it. */
	private round = 0;

	/** @param max most requests under way, 1 or more */
	constructor(private readonly max: number) {
		this.limit = Math.min(initial, max);
	}

	private admit(): void {
		while (this.waiting.length > 0 && this.underWay < Math.floor(this.limit)) {
			this.underWay++;
			this.waiting.shift()!();
		}
	}

	private learn(isSetback: boolean | undefined, round: number): void {
		if (isSetback === undefined) return;
		if (!isSetback) {
			const step = this.limit < this.threshold ? 1 : 1 / this.limit;
			this.limit = Math.min(this.max, this.limit + step);
		} else if (round === this.round) {
			this.limit = Math.max(1, this.limit / 2);
			this.threshold = this.limit;
			this.round++;
		}
	}

	/**
	 * Does work in its turn, first come, first served.
	 * @param work one request; when it rejects, the window stays as it is
	 * @param isSetback whether its result shows that the service is overwhelmed; undefined if it shows nothing
	 */
	async pass<Value>(
		work: () => Promise<Value>,
		isSetback: (value: Value) => boolean | undefined,
	): Promise<Value> {
		await new Promise<void>((admitted) => {
			this.waiting.push(admitted);
			this.admit();
		});
		const { round } = this;
		try {
			const value = await work();
			this.learn(isSetback(value), round);
			return value;
		} finally {
			this.underWay--;
			this.admit();
		}
	}
}
