// The service: it goes on with what it has taken, whatever becomes of who asked.
import { Readable } from 'node:stream';

import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { users } from '../../sandbox/accounts.mts';
import type { Place, World } from './world.cts';

/** What becomes of a request. */
export const serviceFaults = [
	'noConnection',
	'cutBefore',
	'cutAfter',
	'noResponse',
	'failsBefore',
	'failsAfter',
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
	respondsWithin: number;
	/** Seconds that it asks to wait when there are too many requests. */
	retryAfter: number;
	/** How many tokens of an account it keeps alive. */
	tokens: number;
	/** Seconds for which a token lives. */
	tokenLifetime: number;
	/** The password that it takes, until the request at which another is set, which ends all tokens. */
	password: string;
	passwordChangesAt?: number;
	/** By the number of the request. */
	faults: ReadonlyMap<number, ServiceFault>;
	outage?: Outage;
}

/**
 * Statuses of a failure that says nothing of the request: it may have been processed. A proxy and a service give each of
 * them before and after processing, with a time to wait or without.
 */
export const failureStatuses = [408, 500, 502, 503, 504, 507, 520, 529, 599];

/** In seconds, if the failure names a time to wait. */
export const namedTimes = [undefined, 0, 1, 1.5, 4];

/**
 * How the service fails in an outage: an answer, an error of a connection that was never made or broke, or none of them:
 * it hangs.
 */
export type OutageResponse =
	| { status: number; retryAfter?: number; json?: object; isProcessed?: boolean }
	| 'ECONNREFUSED'
	| 'ECONNRESET'
	| 'hangs';

/** A time in which the service fails, by the world's clock. */
export interface Outage {
	from: number;
	until: number;
	response: OutageResponse;
}

export const usualAccount = { password: users[0]!.password, tokenLifetime: 3600 };

/** Milliseconds that a request which is never answered stays open. */
const neverAnswered = 3_600_000;

/** What it does with a request, and answers. */
type Answered = [status: number, json: object];

export abstract class SimulatedService {
	/** All that were asked for, in order. */
	readonly signIns: SignIn[] = [];

	/** How many tokens have ended. */
	ended = 0;

	/** How many requests came with a token that had ended. */
	refusedTokens = 0;

	/** The requests that it has taken, and not done yet. */
	protected readonly working = new Set<IHttpRequestOptions>();

	/** Until when nobody may send. */
	private heldUntil = 0;

	private requests = 0;

	/** How many requests, sign-ins aside, came in the outage. */
	requestsInOutage = 0;

	private hanging = 0;

	/** The most requests that hung at once. */
	mostHanging = 0;

	/** When it last did what a request asked for. */
	lastDoneAt = 0;

	private password: string;

	/** By token: until when it lives. */
	private readonly tokens = new Map<string, number>();

	constructor(
		protected readonly world: World,
		private readonly manners: ServiceManners,
	) {
		this.password = manners.password;
	}

	/** @param execution that asks */
	protected abstract perform(request: IHttpRequestOptions, execution: object): Answered;

	/**
	 * As n8n's helper: the answer as a stream, or an error like that of its HTTP client.
	 * @param process that asks
	 * @param signal ends the waiting for the answer
	 * @param execution that asks, if it is one
	 */
	request(
		process: Place,
		request: IHttpRequestOptions,
		signal?: AbortSignal,
		execution: object = process,
	): Promise<IN8nHttpFullResponse> {
		const { world, manners } = this;
		const { method, url } = request;
		const told = `${process.name}: ${method} ${new URL(url).pathname} ${JSON.stringify(request.body ?? request.qs)}`;
		world.tell(told);
		return new Promise((resolve, reject) => {
			const soon = (happen: () => void) => world.after(world.between(0, 5), happen, process);
			// n8n wraps what its HTTP client throws.
			const fail = (code: string) => {
				world.tell(`${told}: ${code}`);
				reject(new Error('n8n', { cause: { code } }));
			};
			signal?.addEventListener('abort', () => fail('ERR_CANCELED'));
			const breakOff = () => soon(() => fail('ECONNRESET'));
			const hang = () => {
				this.mostHanging = Math.max(this.mostHanging, ++this.hanging);
				signal?.addEventListener('abort', () => this.hanging--);
				world.after(neverAnswered, breakOff);
			};
			const respond = ([statusCode, json]: Answered, retryAfter?: number) =>
				soon(() => {
					world.tell(`${told}: ${statusCode}`);
					const headers = {
						'content-type': 'application/json',
						...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
					};
					const stream = Readable.from([Buffer.from(JSON.stringify(json))]);
					resolve({ statusCode, headers, body: stream as never });
				});
			if (request.url.includes('/authpass/')) return respond(this.signIn(process, request));
			if (this.isOut) {
				this.requestsInOutage++;
				const failure = manners.outage!.response;
				if (failure === 'hangs') return hang();
				if (typeof failure === 'string') return soon(() => fail(failure));
				const { status, json = { error: 'Out of order' }, retryAfter, isProcessed } = failure;
				if (isProcessed) this.perform(request, execution);
				return respond([status, json], retryAfter);
			}
			if (this.requests === manners.passwordChangesAt) this.changePassword();
			const fault = manners.faults.get(this.requests++);
			if (fault === 'noConnection') return soon(() => fail('ECONNREFUSED'));
			if (fault === 'cutBefore') return breakOff();
			if (!this.accepts(request.headers?.Authorization as string, fault === 'tokenEnds'))
				return respond([401, { error: 'invalid_token' }]);
			if (fault === 'tooMany') this.heldUntil = world.now + manners.retryAfter * 1000;
			if (world.now < this.heldUntil) {
				const seconds = Math.ceil((this.heldUntil - world.now) / 1000);
				return respond([429, { error: 'Too many requests' }], seconds);
			}
			const failed = () => respond([world.oneOf(failureStatuses), {}], world.oneOf(namedTimes));
			if (fault === 'failsBefore') return failed();
			if (fault === 'refused') return respond([400, { error: 'The request is not valid' }]);
			if (fault === 'noResponse') return hang();
			this.working.add(request);
			world.after(world.between(0, manners.respondsWithin), () => {
				this.working.delete(request);
				const answered = this.perform(request, execution);
				this.lastDoneAt = world.now;
				if (process.isDead || signal?.aborted) return;
				if (fault === 'cutAfter') return breakOff();
				if (fault === 'failsAfter') return failed();
				respond(answered);
			});
		});
	}

	private get isOut(): boolean {
		const { from = Infinity, until = 0 } = this.manners.outage ?? {};
		return this.world.now >= from && this.world.now < until;
	}

	private changePassword(): void {
		this.password = 'another';
		for (const token of [...this.tokens.keys()]) this.end(token);
	}

	private signIn(process: Place, { body }: IHttpRequestOptions): Answered {
		const { world, manners, tokens } = this;
		const isRefused = (body as { password: string }).password !== this.password;
		this.signIns.push({ process, at: world.now, isRefused });
		if (isRefused) return [400, { error: 'invalid_grant' }];
		const token = `token ${this.signIns.length}`;
		tokens.set(token, world.now + manners.tokenLifetime * 1000);
		const tooMany = Math.max(0, tokens.size - manners.tokens);
		for (const old of [...tokens.keys()].slice(0, tooMany)) this.end(old);
		return [200, { access_token: token, expires_in: manners.tokenLifetime }];
	}

	private accepts(token: string, ends: boolean): boolean {
		const until = this.tokens.get(token) ?? -Infinity;
		if (ends || until <= this.world.now) this.end(token);
		if (this.tokens.has(token)) return true;
		this.refusedTokens++;
		return false;
	}

	private end(token: string): void {
		if (this.tokens.delete(token)) this.ended++;
	}
}
