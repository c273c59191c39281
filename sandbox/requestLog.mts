// The latest requests with their responses, for people to read. The log is bounded. The sandbox only accepts its own
// secrets, which its page shows anyway.
import { EventEmitter } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { FaultKind, Faults } from './faults.mts';

const maxRequests = 200;
const maxUrlLength = 300;
/** Characters of a body. */
const maxBodyLength = 4000;

export interface LoggedRequest {
	/** Counts from 1. */
	number: number;
	/** Milliseconds since the epoch. */
	arrived: number;
	method: string;
	url: string;
	/** `name: value` for each. */
	headers: string[];
	/** The end of the request; undefined while it is being served. */
	end?: {
		/** Undefined if the response was not sent completely. */
		status?: number;
		milliseconds: number;
		fault?: FaultKind;
		/** The JSON that was sent, if it was read. */
		sent: string;
		headers: string[];
		response: string;
	};
}

const headerLines = (headers: object): string[] =>
	Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);

const beginning = (text: string, length: number): string =>
	text.length > length ? `${text.slice(0, length)}…` : text;

/** A file's bytes are left out. */
const sentBody = ({ body, headers }: FastifyRequest): string =>
	/json|urlencoded/.test(headers['content-type'] ?? '') ? (JSON.stringify(body) ?? '') : '';

/** Emits `change` when a request arrives or ends. */
export class RequestLog extends EventEmitter<{ change: [] }> {
	private readonly faults: Faults;
	/** The newest first. */
	readonly entries: LoggedRequest[] = [];
	private readonly responses = new WeakMap<FastifyRequest, string>();
	/** The number of requests so far. */
	total = 0;

	constructor(faults: Faults) {
		super();
		this.faults = faults;
	}

	/** @returns undefined for a request that the log no longer keeps */
	find(number: number): LoggedRequest | undefined {
		return this.entries.find((entry) => entry.number === number);
	}

	/** Keeps the service's response to a request. */
	keepResponse(request: FastifyRequest, response: string): void {
		this.responses.set(request, beginning(response, maxBodyLength));
	}

	/** Logs a request, and later how it ended. */
	add(request: FastifyRequest, reply: FastifyReply): void {
		const { method, url, headers } = request;
		const entry: LoggedRequest = {
			number: ++this.total,
			arrived: Date.now(),
			method,
			url: beginning(url, maxUrlLength),
			headers: headerLines(headers),
		};
		this.entries.unshift(entry);
		this.entries.splice(maxRequests);
		reply.raw.once('close', () => {
			entry.end = {
				status: reply.raw.writableFinished ? reply.statusCode : undefined,
				milliseconds: Math.round(reply.elapsedTime),
				fault: this.faults.struckBy(request),
				sent: beginning(sentBody(request), maxBodyLength),
				headers: headerLines(reply.getHeaders()),
				response: this.responses.get(request) ?? '',
			};
			this.emit('change');
		});
		this.emit('change');
	}
}
