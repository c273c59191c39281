// The latest requests. The log is bounded.
import { createHash, type Hash } from 'node:crypto';
import { EventEmitter } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { FaultKind, Faults } from './faults.mts';
import { headerLines, KeptBody, keepAnswer } from './keptExchange.mts';

const maxRequests = 200;
/** For so many requests that failed, the log knows how often they were tried. */
const maxFailures = 2000;
const maxUrlLength = 300;

export interface LoggedRequest {
	/** Counts from 1. */
	number: number;
	/** Milliseconds since the epoch. */
	arrived: number;
	method: string;
	url: string;
	/** `name: value` for each. */
	headers: string[];
	/** The beginning of what was sent, if it was JSON, as far as it has come. */
	body: () => string;
	/** How the request ended; undefined while it is being served. */
	end?: {
		/** Undefined when the response did not leave as a whole. */
		status?: number;
		milliseconds: number;
		/** How many times in a row the same request was sent, this time included, because the times before failed. */
		tries: number;
		fault?: FaultKind;
		headers: string[];
		/** The beginning of what was answered. */
		body: string;
	};
}

/**
 * Listens to a JSON body while it is read. A file's bytes are left out, for they would cost too much.
 * @returns the body's beginning, and a digest that covers all of it once the request has been served
 */
function listenTo({ raw, headers }: FastifyRequest): { body: KeptBody; digest: Hash } {
	const body = new KeptBody();
	const digest = createHash('sha1').update(headers['content-length'] ?? '');
	if (!headers['content-type']?.includes('json')) return { body, digest };
	// Paused, because adding a listener would otherwise make the body flow before its reader is there.
	raw.pause().on('data', (chunk: Buffer) => {
		digest.update(chunk);
		body.add(chunk);
	});
	return { body, digest };
}

/** Emits `change` when a request arrives or ends. */
export class RequestLog extends EventEmitter<{ change: [] }> {
	private readonly faults: Faults;
	private readonly latest: LoggedRequest[] = [];
	/** How often a request has failed since it last succeeded, by its method, URL and digest. */
	private readonly failures = new Map<string, number>();
	/** How many requests have arrived so far. */
	total = 0;

	constructor(faults: Faults) {
		super();
		this.faults = faults;
	}

	/** The newest first. */
	get entries(): readonly LoggedRequest[] {
		return this.latest;
	}

	/** @returns undefined for a request that the log no longer keeps */
	find(number: number): LoggedRequest | undefined {
		return this.latest.find((entry) => entry.number === number);
	}

	/** Logs a request, and later how it ended. Must be called before its body is read. */
	add(request: FastifyRequest, reply: FastifyReply): void {
		const { method, url } = request;
		const { body, digest } = listenTo(request);
		const answer = keepAnswer(reply.raw);
		const entry: LoggedRequest = {
			number: ++this.total,
			arrived: Date.now(),
			method,
			url: url.length > maxUrlLength ? `${url.slice(0, maxUrlLength)}…` : url,
			headers: headerLines(request.headers),
			body: () => body.text,
		};
		this.latest.unshift(entry);
		this.latest.splice(maxRequests);
		let hasLeft = false;
		reply.raw.once('finish', () => void (hasLeft = true));
		reply.raw.once('close', () => {
			const status = hasLeft ? reply.statusCode : undefined;
			const fault = this.faults.struckBy(request);
			const failed = status === undefined || status >= 400 || fault !== undefined;
			const tries = this.tries(`${method} ${url} ${digest.digest('base64')}`, failed);
			entry.end = {
				status,
				milliseconds: Math.round(reply.elapsedTime),
				tries,
				fault,
				headers: headerLines(reply.getHeaders()),
				body: answer.text,
			};
			this.emit('change');
		});
		this.emit('change');
	}

	private tries(key: string, failed: boolean): number {
		const tries = (this.failures.get(key) ?? 0) + 1;
		this.failures.delete(key);
		if (failed) this.failures.set(key, tries);
		if (this.failures.size > maxFailures) this.failures.delete(this.failures.keys().next().value!);
		return tries;
	}
}
