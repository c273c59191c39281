// A simulated n8n process that sends many requests, as many at once as its congestion window allows.
import type { Random } from '../../sandbox/random.mts';
import { retryDelay, maxWindow, createWindow, type SimulatedWindow } from './builtEngine.mts';
import type { SimulatedService } from './simulatedService.mts';
import type { VirtualClock } from './virtualClock.mts';

/** A request, with how often it was refused and how many milliseconds it has waited to be sent again. */
interface Request {
	tries: number;
	waited: number;
}

export class SimulatedProcess {
	/** How many requests are at the service or on their way. */
	inFlight = 0;

	/** When it sent its first request, and when its last request succeeded or was given up. */
	began = 0;
	ended = 0;

	/** The times at which requests succeeded. */
	readonly done: number[] = [];

	/** How many answers were refusals. */
	refusals = 0;

	/** How many requests were refused at their last try. */
	givenUp = 0;

	/** How many requests have been sent and are not finished. A request that waits to be sent again counts too. */
	private unfinished = 0;

	private readonly toSendAgain: Request[] = [];

	private readonly clock: VirtualClock;
	private readonly service: SimulatedService;
	private readonly dice: Random;
	private readonly window: SimulatedWindow;
	private readonly onLoadChange: () => void;

	/** How many requests have not been sent yet. */
	private unsent: number;

	/**
	 * @param clockError milliseconds by which the wall clock of its machine is wrong
	 * @param unsent how many requests it has to send
	 * @param onLoadChange called when the number of requests in flight may have changed
	 */
	constructor(
		clock: VirtualClock,
		service: SimulatedService,
		dice: Random,
		clockError: number,
		unsent: number,
		onLoadChange: () => void,
	) {
		this.clock = clock;
		this.service = service;
		this.dice = dice;
		this.unsent = unsent;
		this.onLoadChange = onLoadChange;
		this.window = createWindow(clock, clockError);
	}

	start(): void {
		this.began = this.clock.now;
		this.send();
	}

	private nextRequest(): Request | undefined {
		if (this.toSendAgain.length > 0) return this.toSendAgain.shift();
		if (this.unsent === 0 || this.unfinished >= maxWindow) return undefined;
		this.unsent--;
		this.unfinished++;
		return { tries: 0, waited: 0 };
	}

	private send(): void {
		while (this.window.admits) {
			const request = this.nextRequest();
			if (!request) break;
			const end = this.window.begin();
			this.inFlight++;
			this.service.receive((isRefused) => {
				this.inFlight--;
				end(isRefused);
				if (isRefused) this.refused(request);
				else this.finish(() => this.done.push(this.clock.now));
				this.send();
			});
		}
		this.onLoadChange();
	}

	private finish(count: () => void): void {
		count();
		this.unfinished--;
		this.ended = this.clock.now;
	}

	private refused(request: Request): void {
		this.refusals++;
		const pause = retryDelay({ ...request, tries: request.tries + 1 }, this.dice);
		if (pause === undefined) return this.finish(() => this.givenUp++);
		this.clock.after(pause, () => {
			this.toSendAgain.push({ tries: request.tries + 1, waited: request.waited + pause });
			this.send();
		});
	}
}
