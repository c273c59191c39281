// The kinds of faults that the sandbox knows, and what each does to a request and its response.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Accounts } from './accounts.mts';
import { unauthorized, ErrorResponse } from './errorResponses.mts';

/** One fault of a plan. A request is struck by the first fault of the plan that fits it and is due. */
export interface FaultRule {
	fault: FaultKind;
	/** An `operationId` of openapi.yaml. If it is not given, the fault strikes all operations but the sign-ins. */
	operation?: string;
	/** From 0 to 1; 1 if not given. */
	probability?: number;
	/** The fault ends after this many strikes; without a number, it never ends. */
	times?: number;
	/** HTTP status of `refuse` and `failAfter`. */
	status?: number;
	/** The header Retry-After of `refuse` and `failAfter`: seconds, or an HTTP date. */
	retryAfter?: number | string;
	/** The wait of `delayBefore`, or of `trickle` between two bytes. */
	milliseconds?: number;
	/** Maximum random wait in milliseconds before the fault strikes, to spread responses. */
	spread?: number;
}

/** A fault that strikes a request. */
export interface Strike {
	rule: FaultRule;
	accounts: Accounts;
	request: FastifyRequest;
	reply: FastifyReply;
}

/** The actions of a kind of fault, at one or more moments of a request. */
export interface Fault {
	/** In words; `{status=503}` stands for the rule's `status`, which is 503 by default. */
	what: string;
	/** Called before the request's body is read. */
	beforeReading?: (strike: Strike, body: Readable) => unknown;
	/** Called once the request is read and valid, before it is handled. */
	beforeHandling?: (strike: Strike) => unknown;
	/** Called with the body of the response; returns the body that the service sends instead. */
	beforeSending?: (strike: Strike, response: string) => string;
	/** Called with the body that the service sends; returns what the client receives. */
	whileSending?: (strike: Strike, response: string) => string | Readable;
}

const reset = ({ request }: Strike): void => void request.raw.socket.resetAndDestroy();

/** Breaks the connection; the promise never settles, so the request goes no further. */
const breakConnection = (strike: Strike): Promise<never> => {
	reset(strike);
	return new Promise(() => {});
};

/** The body that `refuse` and `failAfter` send. */
const errorsBody = (status: number) => ({
	errors: `The sandbox was set to return status ${status}`,
});

const askToWait = ({ rule: { retryAfter }, reply }: Strike): void => {
	if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
};

/** Waits, without keeping alive a sandbox that was told to stop. */
export const wait = (milliseconds: number) => delay(milliseconds, undefined, { ref: false });

/** Waits, but no longer than the client keeps the connection. */
async function waitForClient({ request }: Strike, milliseconds: number): Promise<void> {
	const { socket } = request.raw;
	const left = new AbortController();
	const leave = () => left.abort();
	socket.once('close', leave);
	await delay(milliseconds, undefined, { ref: false, signal: left.signal }).catch(() => {});
	socket.off('close', leave);
}

async function* trickle(response: string, milliseconds: number) {
	for (const byte of Buffer.from(response)) {
		yield Buffer.of(byte);
		await wait(milliseconds);
	}
}

async function* half(strike: Strike, response: string) {
	yield response.slice(0, Math.ceil(response.length / 2));
	// The first half needs time to be sent: a reset discards unsent data.
	await delay(20);
	reset(strike);
}

const kinds = {
	refuse: {
		what: 'returns status {status=503} without processing the request',
		beforeReading(strike: Strike) {
			const { status = 503 } = strike.rule;
			askToWait(strike);
			throw new ErrorResponse(status, errorsBody(status));
		},
	},
	failAfter: {
		what: 'processes the request, then returns status {status=500}',
		beforeSending(strike: Strike) {
			const { status = 500 } = strike.rule;
			askToWait(strike);
			strike.reply.code(status).type('application/json');
			return JSON.stringify(errorsBody(status));
		},
	},
	resetBefore: {
		what: 'drops the connection without processing the request',
		beforeReading: breakConnection,
	},
	resetAfter: {
		what: 'processes the request, then drops the connection',
		whileSending(strike: Strike, response: string) {
			reset(strike);
			return response;
		},
	},
	delayBefore: {
		what: 'waits {milliseconds=1000} ms (or until the client hangs up), then processes the request',
		// Only after reading: an unread body would be lost when the client disconnects.
		beforeHandling: (strike: Strike) => waitForClient(strike, strike.rule.milliseconds ?? 1000),
	},
	cutOff: {
		what: 'processes the request, sends half of the response, then drops the connection',
		whileSending(strike: Strike, response: string) {
			strike.reply.header('Content-Length', Buffer.byteLength(response) + 1);
			return Readable.from(half(strike, response));
		},
	},
	trickle: {
		what: 'processes the request, then sends the response byte by byte, {milliseconds=1000} ms apart',
		whileSending: ({ rule }: Strike, response: string) =>
			Readable.from(trickle(response, rule.milliseconds ?? 1000)),
	},
	expireToken: {
		what: 'returns status 401 while the request is still being sent, and ends its access token',
		async beforeReading({ request, accounts }: Strike, body: Readable) {
			accounts.revokeToken(request.headers.authorization);
			const carriesBody = Number(request.headers['content-length'] ?? 0) > 0;
			if (carriesBody && body.readableLength === 0) await once(body, 'readable');
			throw unauthorized('The access token has expired');
		},
	},
	webPage: {
		what: 'processes the request, then returns a web page',
		beforeSending({ reply }: Strike) {
			reply.type('text/html');
			return '<!DOCTYPE html><html><body>Welcome</body></html>';
		},
	},
	emptyResponse: {
		what: 'processes the request, then returns no body',
		beforeSending: () => '',
	},
	echo: {
		what: 'returns status 500 and everything that was sent, secrets included',
		async beforeReading({ request }: Strike, body: Readable) {
			const isJson = request.headers['content-type']?.includes('json');
			const sent = [JSON.stringify(request.headers), isJson && (await text(body))];
			throw new ErrorResponse(500, { errors: sent.join(' ') });
		},
	},
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof kinds;

export const faultKinds = Object.keys(kinds) as FaultKind[];

export const faultsByKind: Record<FaultKind, Fault> = kinds;

/** The status that a fault returns unless its rule says another; undefined for one that sets none. */
export const usualStatusOf = (fault: FaultKind): string | undefined =>
	/\{status=(\d+)\}/.exec(kinds[fault].what)?.[1];

/** The description of a fault, followed by the settings that it does not mention. */
export function wordsOf({ fault, probability: _, ...rule }: FaultRule): string {
	const settings = new Map<string, string | number>(Object.entries(rule));
	const what = kinds[fault].what.replace(/\{(\w+)=(\d+)\}/g, (_, name: string, usual: string) => {
		const value = settings.get(name) ?? usual;
		settings.delete(name);
		return String(value);
	});
	return [what, ...[...settings].map(([name, value]) => `${name} ${String(value)}`)].join(', ');
}
