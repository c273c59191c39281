// What the sandbox breaks on request, so that error branches can be rehearsed.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { extremeErrors, withDeepMember, type ExtremeErrors } from './extremeJson.mts';
import { seededRandom, type Random } from './random.mts';
import { unauthorized, ErrorResponse } from './errorResponses.mts';
import { asPhpJson, encodings, type Encoding } from './encodings.mts';

/** One fault of a plan. The first of a plan that fits a request and is due strikes it. */
export interface FaultRule {
	fault: FaultKind;
	/**
	 * `operationId` in openapi.yaml; without it every operation but those that sign in, or, for `oauthError`,
	 * those.
	 */
	operation?: string;
	/** From 0 to 1; 1 if not given. */
	probability?: number;
	/** Ends after so many strikes; never if not given. */
	times?: number;
	/** HTTP status of `refuse`, `failAfter` and `oauthError`. */
	status?: number;
	/** Retry-After of `refuse` and `failAfter`: seconds, or an HTTP date. */
	retryAfter?: number | string;
	/** What stands in `errors` of `refuse` and `failAfter`; a sentence if not given. */
	errors?: ExtremeErrors;
	/** Duration of a delay, or the pause between two bytes. */
	milliseconds?: number;
	/** Up to so many milliseconds, at random, until it strikes: answers come spread over that time. */
	spread?: number;
	/** Of what is big: megabytes of `hugeAnswer`, levels of deep JSON, bytes of long errors. */
	size?: number;
	/** How `echo` writes what was sent. */
	encoding?: Encoding;
}

interface Strike {
	rule: FaultRule;
	request: FastifyRequest;
	reply: FastifyReply;
}

interface Fault {
	what: string;
	/** Whether it strikes operations that sign in, and no others, where none is named. */
	onSignIn?: boolean;
	/** Before the request is read. */
	before?: (strike: Strike, body: Readable) => unknown;
	/** After it was read, before it is processed. */
	between?: (strike: Strike) => unknown;
	/** After it was processed, with the answer's body; gives the body that is sent instead. */
	after?: (strike: Strike, answer: string) => string | Readable;
}

const reset = ({ request }: Strike): void => void request.raw.socket.resetAndDestroy();

/** The request goes no further. */
const cutShort = (strike: Strike): Promise<never> => {
	reset(strike);
	return new Promise(() => {});
};

/** The body of `refuse` and `failAfter`. */
const errorsBody = ({ errors, size }: FaultRule, status: number): string =>
	errors
		? `{"errors":${extremeErrors[errors](size)}}`
		: JSON.stringify({ errors: `The sandbox was told to answer with status ${status}` });

const askToWait = ({ rule: { retryAfter }, reply }: Strike): void => {
	if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
};

/** Everything that was sent as text: headers, and fields of a JSON body. */
async function sent({ headers }: FastifyRequest, body: Readable): Promise<Record<string, string>> {
	const isJson = headers['content-type']?.includes('json');
	const fields = isJson ? (JSON.parse((await text(body)) || '{}') as object) : {};
	const texts = Object.entries({ ...headers, ...fields }).filter(
		(entry): entry is [string, string] => typeof entry[1] === 'string',
	);
	return Object.fromEntries(texts);
}

/** Does not keep a sandbox alive that was told to stop. */
const wait = (milliseconds: number) => delay(milliseconds, undefined, { ref: false });

/** Waits, but not for someone who has left. */
async function waitFor({ request }: Strike, milliseconds: number): Promise<void> {
	const { socket } = request.raw;
	const left = new AbortController();
	const leave = () => left.abort();
	socket.once('close', leave);
	await delay(milliseconds, undefined, { ref: false, signal: left.signal }).catch(() => {});
	socket.off('close', leave);
}

async function* trickle(answer: string, milliseconds: number) {
	for (const byte of Buffer.from(answer)) {
		yield Buffer.of(byte);
		await wait(milliseconds);
	}
}

async function* half(strike: Strike, answer: string) {
	yield answer.slice(0, Math.ceil(answer.length / 2));
	// Time for the half to leave; a reset throws away what has not.
	await delay(20);
	reset(strike);
}

const megabyte = Buffer.alloc(1024 * 1024, ' ');

function* padded(answer: string, megabytes: number) {
	yield Buffer.from(answer);
	for (let sent = 0; sent < megabytes; sent++) yield megabyte;
}

const answerWith =
	(type: string, body: string) =>
	({ reply }: Strike): string => {
		reply.type(type);
		return body;
	};

const faults = {
	refuse: {
		what: 'answers with a status (503) and does nothing',
		before(strike: Strike) {
			askToWait(strike);
			throw new ErrorResponse(strike.rule.status ?? 503, {});
		},
		after: ({ rule }: Strike) => errorsBody(rule, rule.status ?? 503),
	},
	failAfter: {
		what: 'does what was asked, then answers with a status (500)',
		after(strike: Strike) {
			const { rule, reply } = strike;
			askToWait(strike);
			reply.code(rule.status ?? 500).type('application/json');
			return errorsBody(rule, rule.status ?? 500);
		},
	},
	oauthError: {
		what: 'refuses a sign-in with the OAuth error body at a status (401)',
		onSignIn: true,
		before({ rule: { status = 401 } }: Strike) {
			const error_description = `The sandbox was told to refuse with status ${status}`;
			throw new ErrorResponse(status, { error: 'invalid_grant', error_description });
		},
	},
	resetBefore: { what: 'breaks the connection and does nothing', before: cutShort },
	resetAfter: {
		what: 'does what was asked, then breaks the connection',
		after(strike: Strike, answer: string) {
			reset(strike);
			return answer;
		},
	},
	delayBefore: {
		what: 'waits (1000 ms, or until the client hangs up) before it does what was asked',
		// A body that is not read yet would be gone with the client.
		between: (strike: Strike) => waitFor(strike, strike.rule.milliseconds ?? 1000),
	},
	cutOff: {
		what: 'does what was asked, sends half of the answer, then breaks the connection',
		after(strike: Strike, answer: string) {
			strike.reply.header('Content-Length', Buffer.byteLength(answer) + 1);
			return Readable.from(half(strike, answer));
		},
	},
	trickle: {
		what: 'does what was asked, then answers a byte at a time (1000 ms apart)',
		after: ({ rule }: Strike, answer: string) =>
			Readable.from(trickle(answer, rule.milliseconds ?? 1000)),
	},
	expireToken: {
		what: 'answers 401 while the request is still being sent; every token so far is invalid',
		async before({ request }: Strike, body: Readable) {
			const carriesBody = Number(request.headers['content-length'] ?? 0) > 0;
			if (carriesBody && body.readableLength === 0) await once(body, 'readable');
			throw unauthorized('The access token has expired');
		},
	},
	redirect: {
		what: 'answers with a redirect to another host',
		before({ reply }: Strike) {
			reply.header('Location', 'https://elsewhere.example/');
			throw new ErrorResponse(302, {});
		},
	},
	webPage: {
		what: 'does what was asked, then answers with a web page',
		after: answerWith('text/html', '<!DOCTYPE html><html><body>Welcome</body></html>'),
	},
	emptyAnswer: {
		what: 'does what was asked, then answers without a body',
		after: answerWith('application/json', ''),
	},
	wrongShape: {
		what: 'does what was asked, then answers with JSON of another shape',
		after: answerWith('application/json', '{"unexpected":[]}'),
	},
	hugeAnswer: {
		what: 'does what was asked, then sends the answer with many blanks (100 MB)',
		after: ({ rule }: Strike, answer: string) => Readable.from(padded(answer, rule.size ?? 100)),
	},
	deepAnswer: {
		what: 'does what was asked, then adds JSON of many levels (30,000) to the answer',
		after: ({ rule }: Strike, answer: string) => withDeepMember(answer, rule.size),
	},
	echo: {
		what: 'answers with status 500 and everything that was sent, secrets included',
		async before({ rule: { encoding }, request }: Strike, body: Readable) {
			const texts = await sent(request, body);
			const written = Object.entries(texts).map(
				([name, value]) => `${name}: ${encoding ? encodings[encoding](value) : value}`,
			);
			throw new ErrorResponse(500, {
				errors: encoding ? written.join('; ') : JSON.stringify(texts),
			});
		},
		after: ({ rule }: Strike, answer: string) =>
			rule.encoding?.startsWith('php') ? asPhpJson(answer) : answer,
	},
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

export const faultKinds = Object.entries(faults).map(([kind, { what }]) => ({
	kind: kind as FaultKind,
	what,
}));

const table: Record<FaultKind, Fault> = faults;
const signIn = ['authorize', 'passwordToken', 'codeToken'];

const fits = ({ operation, fault }: FaultRule, requested: string): boolean =>
	operation
		? operation === requested
		: (table[fault].onSignIn ?? false) === signIn.includes(requested);

export class Faults {
	/** How often each fault has struck. */
	readonly struck: Partial<Record<FaultKind, number>> = {};

	private plan: FaultRule[] = [];
	private strikesLeft = new Map<FaultRule, number>();
	private readonly strikes = new WeakMap<FastifyRequest, Strike>();
	private readonly random: Random;

	constructor(plan: FaultRule[], seed: number) {
		this.random = seededRandom(seed);
		this.set(plan);
	}

	set(plan: FaultRule[]): void {
		this.plan = plan;
		this.strikesLeft = new Map(plan.map((rule) => [rule, rule.times ?? Infinity]));
	}

	/** As set(); but a fault that stays as it was does not begin to count anew. */
	change(plan: FaultRule[]): void {
		const beforeReading = this.strikesLeft;
		const rules = plan.map(
			(rule) => this.plan.find((known) => isDeepStrictEqual(known, rule)) ?? rule,
		);
		this.set(rules);
		for (const rule of rules)
			this.strikesLeft.set(rule, beforeReading.get(rule) ?? this.strikesLeft.get(rule)!);
	}

	get rules(): readonly FaultRule[] {
		return this.plan;
	}

	/** The fault that strikes this request, if one is due. */
	private dueRule(operation: string): FaultRule | undefined {
		return this.plan.find(
			(rule) =>
				fits(rule, operation) &&
				this.strikesLeft.get(rule)! > 0 &&
				this.random() < (rule.probability ?? 1),
		);
	}

	/** The fault that struck a request. */
	struckBy(request: FastifyRequest): FaultKind | undefined {
		return this.strikes.get(request)?.rule.fault;
	}

	/** Called once the request is admitted, before its body is read. */
	async before(
		request: FastifyRequest,
		reply: FastifyReply,
		operation: string,
		body: Readable,
	): Promise<void> {
		const rule = this.dueRule(operation);
		if (!rule) return;
		this.strikesLeft.set(rule, this.strikesLeft.get(rule)! - 1);
		this.struck[rule.fault] = (this.struck[rule.fault] ?? 0) + 1;
		const strike = { rule, request, reply };
		this.strikes.set(request, strike);
		if (rule.spread) await wait(rule.spread * this.random());
		await table[rule.fault].before?.(strike, body);
	}

	/** Called once the request is read and found valid. */
	async beforeHandling(request: FastifyRequest): Promise<void> {
		const strike = this.strikes.get(request);
		if (strike) await table[strike.rule.fault].between?.(strike);
	}

	/** Called with the body of every answer; gives the one that is sent. */
	beforeSending(request: FastifyRequest, answer: unknown): unknown {
		const strike = this.strikes.get(request);
		const change = strike && table[strike.rule.fault].after;
		return change ? change(strike, typeof answer === 'string' ? answer : '') : answer;
	}
}
