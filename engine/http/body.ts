// The body of an answer as text, in bounded memory.
import type { ByteStream } from './binary';

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
export async function readText(body: ByteStream, limit: number): Promise<BodyText> {
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	try {
		for await (const chunk of body) {
			size += chunk.length;
			if (size > limit) return { text, cut: 'tooLarge' };
			text += decoder.decode(chunk, { stream: true });
		}
	} catch {
		return { text, cut: 'brokenOff' };
	}
	return { text: text + decoder.decode() };
}
