// Virtual time: what is to happen happens in order, at once.

interface Event {
	at: number;
	happens: () => void;
}

export class Time {
	/** Milliseconds. */
	now = 0;

	/** The next one is last; of those at the same time, the one entered first is next. */
	private readonly events: Event[] = [];

	after(milliseconds: number, happens: () => void): void {
		const at = this.now + milliseconds;
		let low = 0;
		let high = this.events.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.events[middle]!.at > at) low = middle + 1;
			else high = middle;
		}
		this.events.splice(low, 0, { at, happens });
	}

	/** Until nothing more is to happen. */
	run(): void {
		for (let event = this.events.pop(); event; event = this.events.pop()) {
			this.now = event.at;
			event.happens();
		}
	}
}
