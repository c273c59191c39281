// What the service was asked lately: bounded, and without bodies, which may hold what is nobody's business.
import { createHash, type Hash } from 'node:crypto';
import { EventEmitter } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { FaultKind, Faults } from './faults.mts';

/** How many requests are kept, and of how many failed ones it is known how often they came. */
const kept = 200;
const failuresKept = 2000;
const longestUrl = 300;

/** One request. */
export interface LoggedRequest {
	/** Counts from 1. */
	number: number;
	/** Milliseconds since the epoch. */
	arrived: number;
	method: string;
	url: string;
	/** How it ended; undefined while it goes on. */
	end?: {
		/** Undefined when no whole answer left. */
		status?: number;
		milliseconds: number;
		/** Which try of the same request it is: those before it, one after the other, failed. */
		tries: number;
		fault?: FaultKind;
	};
}

/**
 * Listens to a JSON body as others read it; a file's bytes would cost too much.
 * @returns a digest that has all of the body when the request is done with
 */
function digestOf({ raw, headers }: FastifyRequest): Hash {
	const digest = createHash('sha1').update(headers['content-length'] ?? '');
	if (!headers['content-type']?.includes('json')) return digest;
	// Paused on purpose: a listener alone must not make it flow past those who read it later.
	raw.pause().on('data', (chunk: Buffer) => void digest.update(chunk));
	return digest;
}

/** Emits `change` when a request begins or ends. */
export class RequestLog extends EventEmitter<{ change: [] }> {
	private readonly faults: Faults;
	private readonly latest: LoggedRequest[] = [];
	/** How often a request has failed since it last succeeded, by what it is; the oldest are forgotten. */
	private readonly failures = new Map<string, number>();
	/** Requests so far. */
	total = 0;

	constructor(faults: Faults) {
		super();
		this.faults = faults;
	}

	/** The newest first. */
	get entries(): readonly LoggedRequest[] {
		return this.latest;
	}

	/** Writes a request down, and its end once that has come; to be called before its body is read. */
	add(request: FastifyRequest, reply: FastifyReply): void {
		const { method, url } = request;
		const entry: LoggedRequest = {
			number: ++this.total,
			arrived: Date.now(),
			method,
			url: url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url,
		};
		this.latest.unshift(entry);
		this.latest.splice(kept);
		const digest = digestOf(request);
		let hasLeft = false;
		reply.raw.once('finish', () => void (hasLeft = true));
		reply.raw.once('close', () => {
			const status = hasLeft ? reply.statusCode : undefined;
			const fault = this.faults.struckBy(request);
			const failed = status === undefined || status >= 400 || fault !== undefined;
			const tries = this.tries(`${method} ${url} ${digest.digest('base64')}`, failed);
			entry.end = { status, milliseconds: Math.round(reply.elapsedTime), tries, fault };
			this.emit('change');
		});
		this.emit('change');
	}

	private tries(key: string, failed: boolean): number {
		const tries = (this.failures.get(key) ?? 0) + 1;
		this.failures.delete(key);
		if (failed) this.failures.set(key, tries);
		if (this.failures.size > failuresKept) this.failures.delete(this.failures.keys().next().value!);
		return tries;
	}
}
