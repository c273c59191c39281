// The service: it creates shift schedules, and counts them by name. It goes on with what it has taken whatever becomes of
// who asked.
import { Readable } from 'node:stream';

import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { users } from '../../sandbox/accounts.mts';
import type { Place, World } from './world';

/** What becomes of a request. */
export const serviceFaults = [
	'noConnection',
	'cutBefore',
	'cutAfter',
	'noAnswer',
	'unavailableBefore',
	'unavailableAfter',
	'refused',
	'tooMany',
	'tokenEnds',
] as const;
export type ServiceFault = (typeof serviceFaults)[number];

export interface SignIn {
	process: Place;
	at: number;
	isRefused: boolean;
}

/** How the service is in a world. */
export interface ServiceManners {
	/** Milliseconds after which it answers, at most. */
	answersWithin: number;
	/** Seconds that it asks to wait when there are too many requests. */
	retryAfter: number;
	/** How many tokens of an account it keeps alive. */
	tokens: number;
	/** Seconds for which a token lives. */
	tokenLifetime: number;
	/** The password that it takes. */
	password: string;
	/** By the number of the request. */
	faults: ReadonlyMap<number, ServiceFault>;
}

export const usualAccount = { password: users[0]!.password, tokenLifetime: 3600 };

/** Milliseconds that a request which is never answered stays open. */
const neverAnswered = 3_600_000;

export class SimulatedService {
	/** By name, who created it: an entry for each time. */
	readonly creators = new Map<string, object[]>();

	/** How many requests for a name it is working on. */
	private readonly working = new Map<string, number>();

	/** All that were asked for, in order. */
	readonly signIns: SignIn[] = [];

	/** How many tokens have ended. */
	ended = 0;

	/** How many requests came with a token that had ended. */
	refusedTokens = 0;

	/** Until when nobody may send. */
	private heldUntil = 0;

	private requests = 0;

	/** By token: until when it lives. */
	private tokens = new Map<string, number>();

	constructor(
		private readonly world: World,
		private readonly manners: ServiceManners,
	) {}

	count(name: string): number {
		return this.creators.get(name)?.length ?? 0;
	}

	private end(token: string): void {
		if (this.tokens.delete(token)) this.ended++;
	}

	isWorkingOn(name: string): boolean {
		return (this.working.get(name) ?? 0) > 0;
	}

	/**
	 * As n8n's helper: the answer as a stream, or an error like that of its HTTP client.
	 * @param process that asks
	 * @param signal ends the waiting for the answer
	 * @param execution that asks, if it is one
	 */
	request(
		process: Place,
		{ url, headers, body }: IHttpRequestOptions,
		signal?: AbortSignal,
		execution: object = process,
	): Promise<IN8nHttpFullResponse> {
		const { world, manners } = this;
		return new Promise((resolve, reject) => {
			// n8n wraps what its HTTP client throws.
			const fail = (code: string) => reject(new Error('n8n', { cause: { code } }));
			signal?.addEventListener('abort', () => fail('ERR_CANCELED'));
			const answer = (statusCode: number, json: object, more: Record<string, string> = {}) =>
				world.after(
					world.between(0, 5),
					() => {
						const answered = { 'content-type': 'application/json', ...more };
						const stream = Readable.from([Buffer.from(JSON.stringify(json))]);
						resolve({ statusCode, headers: answered, body: stream as never });
					},
					process,
				);
			const breakOff = () => world.after(world.between(0, 5), () => fail('ECONNRESET'), process);
			if (url.includes('/authpass/')) {
				const isRefused = (body as { password: string }).password !== manners.password;
				this.signIns.push({ process, at: world.now, isRefused });
				if (isRefused) return answer(400, { error: 'invalid_grant' });
				const token = `token ${this.signIns.length}`;
				this.tokens.set(token, world.now + manners.tokenLifetime * 1000);
				const tooMany = this.tokens.size - manners.tokens;
				for (const old of [...this.tokens.keys()].slice(0, Math.max(0, tooMany))) this.end(old);
				return answer(200, { access_token: token, expires_in: manners.tokenLifetime });
			}
			const fault = manners.faults.get(this.requests++);
			const { name } = body as { name: string };
			const isGone = () => process.isDead || signal?.aborted;
			const create = () => this.creators.set(name, [...(this.creators.get(name) ?? []), execution]);
			if (fault === 'noConnection')
				return world.after(world.between(0, 5), () => fail('ECONNREFUSED'), process);
			if (fault === 'cutBefore') return breakOff();
			const token = String(headers?.Authorization);
			const until = this.tokens.get(token) ?? -Infinity;
			if (fault === 'tokenEnds' || until <= world.now) this.end(token);
			if (!this.tokens.has(token)) {
				this.refusedTokens++;
				return answer(401, { error: 'invalid_token' });
			}
			if (fault === 'tooMany') this.heldUntil = world.now + manners.retryAfter * 1000;
			if (world.now < this.heldUntil) {
				const seconds = Math.ceil((this.heldUntil - world.now) / 1000);
				return answer(429, { error: 'Too many requests' }, { 'retry-after': `${seconds}` });
			}
			if (fault === 'unavailableBefore') return answer(503, { error: 'Unavailable' });
			if (fault === 'refused') return answer(400, { error: 'name is not valid' });
			if (fault === 'noAnswer') return world.after(neverAnswered, () => breakOff());
			this.working.set(name, (this.working.get(name) ?? 0) + 1);
			world.after(world.between(0, manners.answersWithin), () => {
				this.working.set(name, this.working.get(name)! - 1);
				create();
				if (isGone()) return;
				if (fault === 'cutAfter') return breakOff();
				if (fault === 'unavailableAfter') return void answer(503, { error: 'Unavailable' });
				answer(201, { shiftScheduleID: this.creators.size });
			});
		});
	}
}
