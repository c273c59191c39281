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

/** @param charset a label of the WHATWG Encoding Standard; with any other, UTF-8 is tried */
function decoderFor(charset: string) {
	try {
		return new TextDecoder(charset, { fatal: true });
	} catch {
		return new TextDecoder('utf-8', { fatal: true });
	}
}

/** Shared by all whole texts: it keeps nothing between them. */
const utf8 = decoderFor('utf-8');

/**
 * @param contentType the header of that name, whose charset counts (RFC 9110 §8.3.1); without one it is UTF-8, as RFC 8259
 * §8.1 has it for JSON
 * @param isCut whether more bytes would follow, so that the last character may not be whole
 */
export function decodeText(bytes: Uint8Array, contentType: unknown, isCut: boolean): DecodedText {
	const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(String(contentType)) ?? [];
	const decoder = /^utf-8$/i.test(charset) && !isCut ? utf8 : decoderFor(charset);
	if (decoder.encoding === 'windows-1252') return { text: fromWindows1252(bytes) };
	try {
		return { text: decoder.decode(bytes, { stream: isCut }) };
	} catch {
		return { text: fromWindows1252(bytes), isReadAsWindows1252: true };
	}
}
