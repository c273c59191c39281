// Turns the bytes of an answer into text without losing any: no byte becomes U+FFFD.

/** Text, and how it was read. */
export interface DecodedText {
	text: string;
	/** Whether it is not in the charset that it should be in, and was read as Windows-1252. */
	isReadAsWindows1252?: boolean;
}

/** @returns the charset that a Content-Type declares (RFC 9110 §8.3.1), else UTF-8, as RFC 8259 §8.1 has it for JSON */
function charsetOf(contentType: unknown): string {
	const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(String(contentType)) ?? [];
	return charset.toLowerCase();
}

/**
 * The characters of Windows-1252 from 0x80 to 0x9F (WHATWG Encoding, index windows-1252). Some versions of Node.js
 * decode these bytes as control characters.
 */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Sequences of several bytes of valid UTF-8 (RFC 3629 §4), each byte as one character; and single bytes 0x80 to 0x9F. */
const utf8OrControl =
	/(?:[\xc2-\xdf]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]|[\xf1-\xf3][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf])[\x80-\xbf]|[\x80-\x9f]/g;

const decoderFor = (charset: string) => new TextDecoder(charset, { fatal: true });

/** Shared by all whole texts: it keeps nothing between them. */
const utf8 = decoderFor('utf-8');

/** @param charset a label of the WHATWG Encoding Standard; with any other, UTF-8 is tried */
function decoderOf(charset: string, [first, second]: Uint8Array): typeof utf8 {
	// Of "utf-16", the byte order mark says which it is (RFC 2781 §3.2).
	const label = charset === 'utf-16' && first === 0xfe && second === 0xff ? 'utf-16be' : charset;
	try {
		return decoderFor(label);
	} catch {
		return decoderFor('utf-8');
	}
}

/** @param mayHoldUtf8 whether records may have been written by several programs, some of them in UTF-8 */
const fromWindows1252 = (bytes: Uint8Array, mayHoldUtf8: boolean): string =>
	Buffer.from(bytes)
		.toString('latin1')
		.replace(mayHoldUtf8 ? utf8OrControl : /[\x80-\x9f]/g, (characters) =>
			characters.length > 1
				? Buffer.from(characters, 'latin1').toString('utf8')
				: windows1252[characters.charCodeAt(0) - 0x80]!,
		);

/**
 * @param contentType the header of that name, whose charset counts
 * @param isCut whether more bytes would follow, so that the last character may not be whole
 */
export function decodeText(bytes: Uint8Array, contentType: unknown, isCut: boolean): DecodedText {
	const charset = charsetOf(contentType);
	const decoder = charset === 'utf-8' && !isCut ? utf8 : decoderOf(charset, bytes);
	if (decoder.encoding === 'windows-1252') return { text: fromWindows1252(bytes, false) };
	try {
		return { text: decoder.decode(bytes, { stream: isCut }) };
	} catch {
		return { text: fromWindows1252(bytes, true), isReadAsWindows1252: true };
	}
}
