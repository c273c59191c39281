// What the log keeps of a request and of its response, so that a person can read both: headers, and the beginning of a
// body. The sandbox takes no secrets but its own, which its page shows anyway.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Bytes of a body. */
const maxKept = 4000;

/** `name: value` for each header. */
export const headerLines = (headers: IncomingHttpHeaders | Record<string, unknown>): string[] =>
	Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);

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

	get text(): string {
		const text = Buffer.concat(this.parts).toString();
		return this.bytes > maxKept ? `${text}… (${this.bytes} bytes)` : text;
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
