// What the log keeps of a request and of its response, so that a person can read both: the beginning of a body, and no
// secrets. What is not known to be harmless counts as one.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { isTokenOperation } from './validation.mts';

/** Bytes of a body. */
const maxKept = 4000;

/** Headers, query parameters, and fields of sign-ins that are shown whole. */
const harmless = new Set(
	(
		'accept accept-encoding allow connection content-length content-type date etag host keep-alive location ' +
		'retry-after transfer-encoding user-agent limit offset filter changessince showarchived rowversion ' +
		'client_id error error_description expires_in grant_type redirect_uri response_type scope state token_type username'
	).split(' '),
);

/** Of any other value, the first characters are shown: enough to tell two of them apart. */
const masked = (name: string, value: unknown): string =>
	harmless.has(name.toLowerCase()) ? String(value) : `${String(value).slice(0, 4)}…`;

/** An address whose query may hold the key, which gateways accept there too. */
export const maskedUrl = (url: string): string =>
	url
		.split(/(?=[?&])/)
		.map((part) => {
			const [name = '', ...value] = part.split('=');
			return value.length === 0 ? part : `${name}=${masked(name.slice(1), value.join('='))}`;
		})
		.join('');

/** `name: value` for each header. */
export const headerLines = (headers: IncomingHttpHeaders | Record<string, unknown>): string[] =>
	Object.entries(headers).map(([name, value]) => `${name}: ${masked(name, value)}`);

/** The beginning of a body, kept while it passes. */
export class KeptBody {
	private readonly parts: Buffer[] = [];
	private bytes = 0;

	add(chunk: unknown): void {
		if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
		const part = Buffer.from(chunk as string);
		if (this.bytes < maxKept) this.parts.push(part.subarray(0, maxKept - this.bytes));
		this.bytes += part.length;
	}

	/** @param url of the request, which says whether the body may hold secrets */
	textFor(url: string): string {
		const text = Buffer.concat(this.parts).toString();
		if (isTokenOperation(url)) return withoutSecrets(text);
		return this.bytes > maxKept ? `${text}… (${this.bytes} bytes)` : text;
	}
}

function withoutSecrets(text: string): string {
	try {
		const members = Object.entries(JSON.parse(text) as object).map(([name, value]) => [
			name,
			masked(name, value),
		]);
		return JSON.stringify(Object.fromEntries(members));
	} catch {
		return text === '' ? '' : '(hidden: it may hold secrets)';
	}
}

/** Keeps what is written into a response, in whatever way that is done. */
export function keepAnswer(response: ServerResponse): KeptBody {
	const kept = new KeptBody();
	const observed =
		(send: (...given: unknown[]) => unknown) =>
		(...given: unknown[]): unknown => {
			kept.add(given[0]);
			return send(...given);
		};
	const write = response.write.bind(response) as (...given: unknown[]) => unknown;
	const end = response.end.bind(response) as (...given: unknown[]) => unknown;
	Object.assign(response, { write: observed(write), end: observed(end) });
	return kept;
}
