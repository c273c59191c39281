import { charsetOf, decodeText } from '../../../engine/http/decodeText';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each([
	['application/json', 'utf-8'],
	[undefined, 'utf-8'],
	['application/json; charset=ISO-8859-1', 'iso-8859-1'],
	['application/json;charset="Windows-1252"; x=y', 'windows-1252'],
	['text/html; boundary=a; Charset = utf-16', 'utf-16'],
])('%s declares %s', (contentType, charset) => {
	expect(charsetOf(contentType)).toBe(charset);
});

test.each([
	['utf-8', Buffer.from('Müller 🚒'), 'Müller 🚒'],
	['utf-8', Buffer.from('\uFEFFa'), 'a'],
	['iso-8859-1', latin1('M\xfcller'), 'Müller'],
	// A browser reads these bytes so too, and not as control characters.
	['iso-8859-1', latin1('5 \x80\x96\x9f'), '5 €–Ÿ'],
	['windows-1252', latin1('\xc3\xbc'), 'Ã¼'],
	['iso-8859-15', latin1('5 \xa4'), '5 €'],
	['utf-16', Buffer.from('Müller', 'utf16le'), 'Müller'],
	['utf-16', Buffer.from('\uFEFFMü', 'utf16le').swap16(), 'Mü'],
	['klingon', Buffer.from('Müller'), 'Müller'],
])('%s: %j', (charset, bytes, text) => {
	expect(decodeText(bytes, charset, false)).toEqual({ text });
});

test.each([
	['M\xfcller', 'Müller'],
	['5 \x80', '5 €'],
	// What several programs have written: the letters that are UTF-8 stay what they are.
	['M\xfcller, M\xc3\xbcller \xf0\x9f\x9a\x92', 'Müller, Müller 🚒'],
	['cut off \xc3', 'cut off Ã'],
	['\x81\x8d', '\x81\x8d'],
])('%j is not UTF-8, and no byte of it is lost', (bytes, text) => {
	for (const charset of ['utf-8', 'klingon']) {
		expect(decodeText(latin1(bytes), charset, false)).toEqual({ text, isReadAsWindows1252: true });
	}
});

test('all that is no text of UTF-8 comes out one letter a byte', () => {
	const bytes = Uint8Array.from({ length: 128 }, (_, at) => 0x80 + at);
	const { text } = decodeText(bytes, 'utf-8', false);
	expect(new Set(text).size).toBe(128);
	expect(text).not.toContain('\ufffd');
});

test('a text that was cut in the middle of a letter is read up to it, and the next one from its beginning', () => {
	for (const charset of ['utf-8', 'klingon', 'utf-16']) {
		const encoding = charset === 'utf-16' ? 'utf16le' : 'utf8';
		const bytes = Buffer.from('Mü', encoding);
		expect(decodeText(bytes.subarray(0, -1), charset, true)).toEqual({ text: 'M' });
		expect(decodeText(bytes, charset, false)).toEqual({ text: 'Mü' });
	}
});
