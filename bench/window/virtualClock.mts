// A virtual clock: scheduled events happen in their order without any real waiting.

interface ScheduledEvent {
	at: number;
	happens: () => void;
}

export class VirtualClock {
	/** The virtual time in milliseconds. */
	now = 0;

	/** The next event is the last entry; of events at the same time, the one that was scheduled first comes first. */
	private readonly events: ScheduledEvent[] = [];

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

	/** Runs until no event is left. */
	run(): void {
		for (let event = this.events.pop(); event; event = this.events.pop()) {
			this.now = event.at;
			event.happens();
		}
	}
}
