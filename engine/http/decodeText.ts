// Turns the bytes of a response into text without losing any: no byte becomes U+FFFD.

/** Text, and how it was read. */
export interface DecodedText {
	text: string;
	/** Whether it is not in the charset that it should be in, and was read as Windows-1252. */
	isReadAsWindows1252?: boolean;
}

/**
 * The characters of Windows-1252 from 0x80 to 0x9F (WHATWG Encoding, index windows-1252). Some versions of Node.js
 * decode these bytes as control characters.
 */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const fromWindows1252 = (bytes: Uint8Array): string =>
	Buffer.from(bytes)
		.toString('latin1')
		.replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80]!);

/** The charsets that are read as Windows-1252, since those who write it often call it so (WHATWG Encoding). */
const isWindows1252 = /;\s*charset\s*=\s*"?(?:iso-8859-1|latin1|windows-1252|us-ascii)(?![\w-])/i;

/**
 * Reads UTF-8, as RFC 8259 §8.1 has it for JSON; where the bytes are none, Windows-1252.
 * @param contentType the header of that name, whose charset may say that they are none
 * @param isCut whether more bytes would follow, so that the last character may not be whole
 */
export function decodeText(bytes: Uint8Array, contentType: unknown, isCut: boolean): DecodedText {
	try {
		return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut }) };
	} catch {
		const text = fromWindows1252(bytes);
		return isWindows1252.test(String(contentType)) ? { text } : { text, isReadAsWindows1252: true };
	}
}
