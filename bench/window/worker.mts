// A process of n8n that sends many requests: as many at once as its window allows.
import type { Random } from '../../sandbox/random.mts';
import { pauseAfter, maxWindow, windowIn, type Window } from './engine.mts';
import type { Service } from './service.mts';
import type { Time } from './time.mts';

/** A request that has been refused so often, and has waited so many milliseconds because of it. */
interface Request {
	tries: number;
	waited: number;
}

export class Worker {
	/** Requests at the service. */
	underWay = 0;

	/** When it began, and when its last request came to its end. */
	began = 0;
	ended = 0;

	/** Times at which a request succeeded. */
	readonly done: number[] = [];

	/** Answers that were refusals. */
	refusals = 0;

	/** Requests whose last try was refused. */
	givenUp = 0;

	/** Requests that have begun and not come to their end; each keeps a lane while it waits to be sent again. */
	private open = 0;

	private readonly again: Request[] = [];

	private readonly time: Time;
	private readonly service: Service;
	private readonly dice: Random;
	private readonly window: Window;
	private readonly changed: () => void;

	/** Requests that have not begun. */
	private fresh: number;

	/**
	 * @param fresh how many requests it has to send
	 * @param changed called when it may have more or fewer of them under way
	 */
	constructor(time: Time, service: Service, dice: Random, fresh: number, changed: () => void) {
		this.time = time;
		this.service = service;
		this.dice = dice;
		this.fresh = fresh;
		this.changed = changed;
		this.window = windowIn(time);
	}

	start(): void {
		this.began = this.time.now;
		this.send();
	}

	private take(): Request | undefined {
		if (this.again.length > 0) return this.again.shift();
		if (this.fresh === 0 || this.open >= maxWindow) return undefined;
		this.fresh--;
		this.open++;
		return { tries: 0, waited: 0 };
	}

	private send(): void {
		while (this.window.admits) {
			const request = this.take();
			if (!request) break;
			const end = this.window.begin();
			this.underWay++;
			this.service.ask((isRefused) => {
				this.underWay--;
				end(isRefused);
				if (isRefused) this.refused(request);
				else this.finish(() => this.done.push(this.time.now));
				this.send();
			});
		}
		this.changed();
	}

	private finish(count: () => void): void {
		count();
		this.open--;
		this.ended = this.time.now;
	}

	private refused(request: Request): void {
		this.refusals++;
		const pause = pauseAfter({ ...request, tries: request.tries + 1 }, this.dice);
		if (pause === undefined) return this.finish(() => this.givenUp++);
		this.time.after(pause, () => {
			this.again.push({ tries: request.tries + 1, waited: request.waited + pause });
			this.send();
		});
	}
}
