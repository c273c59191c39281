// How long the service usually takes to answer, by the routes of the requests. Means are geometric, so that a few very
// long delays count little. Pure: no clock, no network.
import type { ClockReading } from '../http/clock';

/** Answers after which the usual delay of a route is known. */
const enoughAnswers = 10;

/** The share of the newest answer in the usual delay, from so many answers on. */
const shareOfNewest = 1 / 32;

/** The quickest usual delay becomes so many times as long with each slow round: a wrong one is forgotten that way. */
const raise = 1.2;

/** Milliseconds at least until a request is overdue. A large list or bulk request takes some seconds. */
export const minOverdueTime = 10_000;

/** A request is overdue after so many usual delays. */
export const overdueRatio = 4;

/** All delays are the natural logarithms of milliseconds. */
interface RouteDelays {
	answers: number;
	usual: number;
	/** The least that the usual delay ever was, and what it was raised by since. */
	quickest: number;
}

export class UsualDelays {
	private readonly byRoute = new Map<string, RouteDelays>();

	/** The answers of this round whose route is known, and by how much they exceed the quickest usual delay, added up. */
	private round = { answers: 0, excess: 0 };

	note(route: string, delay: ClockReading): void {
		const known = this.byRoute.get(route) ?? { answers: 0, usual: 0, quickest: Infinity };
		this.byRoute.set(route, known);
		const share = Math.max(shareOfNewest, 1 / ++known.answers);
		known.usual += share * (Math.log(Math.max(1, delay.now)) - known.usual);
		if (known.answers < enoughAnswers) return;
		known.quickest = Math.min(known.quickest, known.usual);
		this.round.answers++;
		// While this process was busy itself, the answer may have waited for it, and not for the service.
		this.round.excess += Math.log(Math.max(1, delay.idle)) - known.quickest;
	}

	startRound(): void {
		this.round = { answers: 0, excess: 0 };
	}

	/** How many times as long as the quickest usual delay of their route the answers of this round took. */
	ratioOfRound(): number {
		const { answers, excess } = this.round;
		return answers >= enoughAnswers ? Math.exp(excess / answers) : 0;
	}

	/** The answers of this round were slow. */
	raiseQuickest(): void {
		for (const known of this.byRoute.values()) known.quickest += Math.log(raise);
	}

	/** @returns milliseconds after which a request of the route is overdue */
	overdueAfter(route: string): number {
		const { answers = 0, usual = 0 } = this.byRoute.get(route) ?? {};
		const known = answers >= enoughAnswers ? Math.exp(usual) : 0;
		return Math.max(minOverdueTime, overdueRatio * known);
	}
}
