// Reads the body of a response as text, in bounded memory.
import { orUndefined } from './json';

/**
 * Options of n8n's request helper: the body of every response is a stream, no redirect is followed, and withDeadline()
 * sets the only timeout.
 */
export const streamOptions = {
	encoding: 'stream',
	disableFollowRedirect: true,
	returnFullResponse: true,
	timeout: 0,
} as const;

/** A Node.js Readable. */
type ResponseStream = NodeJS.ReadableStream & { destroyed: boolean; destroy(): unknown };

/** Maximum bytes of one response: far more than a page of a list needs, so a larger one is a fault of the service. */
export const maxResponseBytes = 32 * 1024 * 1024;

/** Maximum bytes read from a refusal, of which only the message matters. */
export const maxRefusalBytes = 64 * 1024;

/**
 * Maximum bytes of all responses of a run together, since n8n keeps them in memory. A response of up to
 * `maxRefusalBytes` is read even if nothing is left.
 */
export const maxRunBytes = 256 * 1024 * 1024;

export interface BodyText {
	/** Bytes that are not UTF-8 appear as U+FFFD. */
	text: string;
	/** Whether there were such bytes. */
	isNotUtf8?: boolean;
	/**
	 * Why the text is incomplete: the body is larger than a response, or all of the run's together, may be, or the
	 * connection broke. Undefined if it is complete.
	 */
	cut?: 'tooLarge' | 'brokenOff';
}

/**
 * Decodes UTF-8, as JSON requires (RFC 8259 §8.1).
 * @param isCut whether more bytes would follow, so that the last character may be incomplete
 */
function decode(bytes: Buffer, isCut: boolean): BodyText {
	const text = bytes.toString();
	// Without U+FEFF and U+FFFD, a decoder would return the same, and creating one for each response is slower.
	if (!/^\ufeff|\ufffd/.test(text)) return { text };
	const decoder = new TextDecoder('utf-8', { fatal: true });
	const exact = orUndefined(() => decoder.decode(bytes, { stream: isCut }));
	if (exact !== undefined) return { text: exact };
	return { text: new TextDecoder().decode(bytes), isNotUtf8: true };
}

/**
 * @param body a stream that may break; it is closed before the promise resolves
 * @param maxBytes maximum bytes to read
 * @param budget the bytes the run may still read; those read here are subtracted
 */
export async function readBodyText(
	body: unknown,
	maxBytes: number,
	budget = { bytesLeft: maxRunBytes },
): Promise<BodyText> {
	const stream = body as ResponseStream;
	const chunks: Uint8Array[] = [];
	let bytesRead = 0;
	// A stream that is destroyed already emits no more events, not even 'close', so waiting for one would never end.
	if (stream.destroyed) return { text: '', cut: 'brokenOff' };
	const cut = await new Promise<BodyText['cut']>((resolve) => {
		// Immediately: a stream may emit one chunk after another before anything else gets a turn.
		const finish = (why?: BodyText['cut']) => {
			resolve(why);
			stream.destroy();
		};
		// Events are used because `for await` doubles the processor time of reading a response.
		stream.on('data', (chunk: Uint8Array) => {
			bytesRead += chunk.length;
			budget.bytesLeft -= chunk.length;
			const isOverBudget = bytesRead > maxRefusalBytes && budget.bytesLeft < 0;
			if (bytesRead > maxBytes || isOverBudget) finish('tooLarge');
			else chunks.push(chunk);
		});
		stream.on('end', () => finish());
		stream.on('error', () => finish('brokenOff'));
		stream.on('close', () => finish('brokenOff'));
	});
	return { ...decode(Buffer.concat(chunks), cut !== undefined), cut };
}
