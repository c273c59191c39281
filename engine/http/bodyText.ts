// The body of an answer as text, in bounded memory.
/** What is used of a Node.js Readable. */
export interface AnswerStream {
	destroyed: boolean;
	destroy(): unknown;
	on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'error' | 'close', listener: () => void): unknown;
}

/** Bytes. Far more than a page of a list needs; an answer beyond it is a fault of the service. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/** Bytes of an answer that holds one record. */
export const maxRecordBytes = 1024 * 1024;

/** Bytes that are read of a refusal: its words, not its bulk. */
export const maxRefusalBytes = 64 * 1024;

/** What the answers of a run may hold in all: n8n keeps them in memory. Small ones pass all the same. */
export interface AnswerBudget {
	/** Bytes. */
	left: number;
}

export const maxRunBytes = 256 * 1024 * 1024;

export const newAnswerBudget = (): AnswerBudget => ({ left: maxRunBytes });

export interface BodyText {
	text: string;
	/** Why the text is not the whole body: larger than one answer, or than all of a run together, may be. */
	cut?: 'tooLarge' | 'overBudget' | 'brokenOff';
	/** Bytes it might have had. */
	limit?: number;
}

/**
 * @param body a stream that may break; it is closed when this returns
 * @param limit bytes
 * @param budget of the run; what is read is taken from it
 */
export function readBodyText(
	body: AnswerStream,
	limit: number,
	budget: AnswerBudget = newAnswerBudget(),
): Promise<BodyText> {
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	// A destroyed stream emits no more events, not even 'close': waiting for one would never end.
	if (body.destroyed) return Promise.resolve({ text, cut: 'brokenOff' });
	return new Promise((resolve) => {
		const end = (cut?: BodyText['cut']) => {
			if (!cut) text += decoder.decode();
			resolve({ text, ...(cut && { cut }), ...(cut === 'tooLarge' && { limit }) });
			body.destroy();
		};
		// By events, not by `for await`: that doubles the processor time of reading an answer.
		body.on('data', (chunk) => {
			size += chunk.length;
			budget.left -= chunk.length;
			if (size > limit) end('tooLarge');
			else if (size > maxRefusalBytes && budget.left < 0) end('overBudget');
			else text += decoder.decode(chunk, { stream: true });
		});
		body.on('end', () => end());
		body.on('error', () => end('brokenOff'));
		body.on('close', () => end('brokenOff'));
	});
}
