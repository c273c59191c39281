// The body of an answer as text, in bounded memory.
/** What is used of a Node.js Readable. */
export interface AnswerStream {
	destroyed: boolean;
	destroy(): unknown;
	on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'error' | 'close', listener: () => void): unknown;
}

/** Bytes. Far more than a page of a list needs; an answer beyond it is a fault of the service. */
export const maxAnswer = 32 * 1024 * 1024;

/** Bytes that are read of a refusal: its words, not its bulk. */
export const maxRefusal = 64 * 1024;

export interface BodyText {
	text: string;
	/** Why the text is not the whole body. */
	cut?: 'tooLarge' | 'brokenOff';
}

/**
 * @param body a stream that may break; it is closed when this returns
 * @param limit bytes
 */
export function readText(body: AnswerStream, limit: number): Promise<BodyText> {
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	// A destroyed stream emits no more events, not even 'close': waiting for one would never end.
	if (body.destroyed) return Promise.resolve({ text, cut: 'brokenOff' });
	return new Promise((resolve) => {
		const end = (cut?: BodyText['cut']) => {
			resolve({ text: cut ? text : text + decoder.decode(), cut });
			body.destroy();
		};
		// By events, not by `for await`: that doubles the processor time of reading an answer.
		body.on('data', (chunk) => {
			size += chunk.length;
			if (size > limit) end('tooLarge');
			else text += decoder.decode(chunk, { stream: true });
		});
		body.on('end', () => end());
		body.on('error', () => end('brokenOff'));
		body.on('close', () => end('brokenOff'));
	});
}
