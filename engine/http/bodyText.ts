// Reads the body of a response as text, in bounded memory.

/**
 * Options of n8n's request helper with which the body of every response is a stream. No redirect is followed, and there
 * is no time-out but that of withDeadline().
 */
export const responseAsStream = {
	encoding: 'stream',
	disableFollowRedirect: true,
	returnFullResponse: true,
	timeout: 0,
} as const;

/** A Readable of Node.js. */
type ResponseStream = NodeJS.ReadableStream & { destroyed: boolean; destroy(): unknown };

/**
 * Most bytes of one response: far more than a page of a list needs, so that a larger response is a fault of the
 * service.
 */
export const maxResponseBytes = 32 * 1024 * 1024;

/** Most bytes that are read of a refusal: only its message is of use. */
export const maxRefusalBytes = 64 * 1024;

/**
 * Most bytes that all responses of a run may hold together, since n8n keeps them all in memory. A response no larger
 * than `maxRefusalBytes` is read even when nothing is left.
 */
export const maxRunBytes = 256 * 1024 * 1024;

export interface BodyText {
	/** Bytes that are not UTF-8 are U+FFFD in it. */
	text: string;
	/** Whether there are such bytes. */
	isNotUtf8?: boolean;
	/**
	 * Why the text is not the whole body: it is larger than one response, or all of the run together, may be, or the
	 * connection broke. Undefined when the text is whole.
	 */
	cut?: 'tooLarge' | 'brokenOff';
}

/**
 * Reads UTF-8, as RFC 8259 §8.1 has it for JSON.
 * @param isCut whether more bytes would follow, so that the last character may not be whole
 */
function decode(bytes: Buffer, isCut: boolean): BodyText {
	const text = bytes.toString();
	// Without U+FEFF and U+FFFD this is what a decoder gives, and to make one for each response takes longer.
	if (!/^\ufeff|\ufffd/.test(text)) return { text };
	try {
		return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut }) };
	} catch {
		return { text: new TextDecoder().decode(bytes), isNotUtf8: true };
	}
}

/**
 * @param body a stream that may break; it is closed before the promise resolves
 * @param maxBytes most bytes to read
 * @param budget what the run may still read; the bytes read here are taken from it
 */
export async function readBodyText(
	body: unknown,
	maxBytes: number,
	budget = { bytesLeft: maxRunBytes },
): Promise<BodyText> {
	const stream = body as ResponseStream;
	const chunks: Uint8Array[] = [];
	let bytesRead = 0;
	// A destroyed stream emits no more events, not even 'close', so that waiting for one would never end.
	if (stream.destroyed) return { text: '', cut: 'brokenOff' };
	const cut = await new Promise<BodyText['cut']>((resolve) => {
		// At once: a stream may give one chunk after the other before anything else gets its turn.
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
