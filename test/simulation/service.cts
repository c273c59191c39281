// The service: it finishes every accepted request, whatever happens to its client.
import { Readable } from 'node:stream';

import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { users } from '../../sandbox/accounts.mts';
import type { Place, World } from './world.cts';

/** The fate of a request. */
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

/** The service's behaviour in a world. */
export interface ServiceManners {
	/** Maximum response time in milliseconds. */
	respondsWithin: number;
	/** The wait in seconds that it requests when there are too many requests. */
	retryAfter: number;
	/** The number of an account's tokens that it keeps alive. */
	tokens: number;
	/** Seconds for which a token lives. */
	tokenLifetime: number;
	/** The password that it accepts, until the request at which it is changed, which ends all tokens. */
	password: string;
	passwordChangesAt?: number;
	/** By the number of the request. */
	faults: ReadonlyMap<number, ServiceFault>;
	outage?: Outage;
}

/**
 * Failure statuses that reveal nothing about the request, which may have been processed. Proxies and services return
 * each of them before and after processing, with or without a time to wait.
 */
export const failureStatuses = [408, 500, 502, 503, 504, 507, 520, 529, 599];

/** In seconds, if the failure names a time to wait. */
export const namedTimes = [undefined, 0, 1, 1.5, 4];

/**
 * The service's failure in an outage: a response, a connection that broke or was never made, or neither: it hangs.
 */
export type OutageResponse =
	| { status: number; retryAfter?: number; json?: object; isProcessed?: boolean }
	| 'ECONNREFUSED'
	| 'ECONNRESET'
	| 'hangs';

/** The period in which the service fails, by the world's clock. */
export interface Outage {
	from: number;
	until: number;
	response: OutageResponse;
}

export const usualAccount = { password: users[0]!.password, tokenLifetime: 3600 };

/** Milliseconds that a request without a response stays open. */
const hangsFor = 3_600_000;

/** The response to a request. */
type StatusAndBody = [status: number, json: object];

export abstract class SimulatedService {
	/** All requested operations, in order. */
	readonly signIns: SignIn[] = [];

	/** The number of ended tokens. */
	ended = 0;

	/** The number of requests with an ended token. */
	refusedTokens = 0;

	/** The accepted requests that are not finished yet. */
	protected readonly working = new Set<IHttpRequestOptions>();

	/** The time until which nobody may send. */
	private heldUntil = 0;

	private requests = 0;

	/** The number of requests during the outage, without sign-ins. */
	requestsInOutage = 0;

	private hanging = 0;

	/** The most requests that hung at once. */
	mostHanging = 0;

	/** When it last did what a request asked for. */
	lastDoneAt = 0;

	private password: string;

	/** By token: the time when it expires. */
	private readonly tokens = new Map<string, number>();

	constructor(
		protected readonly world: World,
		private readonly manners: ServiceManners,
	) {
		this.password = manners.password;
	}

	/** @param execution that asks */
	protected abstract perform(request: IHttpRequestOptions, execution: object): StatusAndBody;

	/**
	 * Like n8n's helper: gives the response as a stream, or throws an error like its HTTP client's.
	 * @param process that asks
	 * @param signal ends the wait for the response
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
			// n8n wraps the errors of its HTTP client.
			const fail = (code: string) => {
				world.tell(`${told}: ${code}`);
				reject(new Error('n8n', { cause: { code } }));
			};
			signal?.addEventListener('abort', () => fail('ERR_CANCELED'));
			const breakOff = () => soon(() => fail('ECONNRESET'));
			const hang = () => {
				this.mostHanging = Math.max(this.mostHanging, ++this.hanging);
				signal?.addEventListener('abort', () => this.hanging--);
				world.after(hangsFor, breakOff);
			};
			const respond = ([statusCode, json]: StatusAndBody, retryAfter?: number) =>
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
				const performed = this.perform(request, execution);
				this.lastDoneAt = world.now;
				if (process.isDead || signal?.aborted) return;
				if (fault === 'cutAfter') return breakOff();
				if (fault === 'failsAfter') return failed();
				respond(performed);
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

	private signIn(process: Place, { body }: IHttpRequestOptions): StatusAndBody {
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
