import { decodeText } from '../../../engine/http/decodeText';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each([
	[undefined, Buffer.from('Müller 🚒'), 'Müller 🚒'],
	['application/json', Buffer.from('Müller 🚒'), 'Müller 🚒'],
	['text/plain; charset=utf-8', Buffer.from('\uFEFFa'), 'a'],
	['application/json; charset=ISO-8859-1', latin1('M\xfcller'), 'Müller'],
	// A browser reads these bytes so too, and not as control characters.
	['application/json;charset="ISO-8859-1"; x=y', latin1('5 \x80\x96\x9f'), '5 €–Ÿ'],
	['text/html; boundary=a; Charset = windows-1252', latin1('\xc3'), 'Ã'],
	// What is said of UTF-8 is mistaken.
	['text/html; charset=ISO-8859-1', Buffer.from('Müller'), 'Müller'],
	['text/plain; charset=klingon', Buffer.from('Müller'), 'Müller'],
])('%s: %j', (contentType, bytes, text) => {
	expect(decodeText(bytes, contentType, false)).toEqual({ text });
});

test.each([
	['M\xfcller', 'Müller'],
	['5 \x80', '5 €'],
	['cut off \xc3', 'cut off Ã'],
	['\x81\x8d', '\x81\x8d'],
])('%j is not UTF-8, and no byte of it is lost', (bytes, text) => {
	for (const charset of ['utf-8', 'klingon']) {
		expect(decodeText(latin1(bytes), `text/plain; charset=${charset}`, false)).toEqual({
			text,
			isReadAsWindows1252: true,
		});
	}
});

test('all that is no text of UTF-8 comes out one letter a byte', () => {
	const bytes = Uint8Array.from({ length: 128 }, (_, at) => 0x80 + at);
	const { text } = decodeText(bytes, undefined, false);
	expect(new Set(text).size).toBe(128);
	expect(text).not.toContain('\ufffd');
});

test('a text that was cut in the middle of a letter is read up to it, and the next one from its beginning', () => {
	for (const charset of ['utf-8', 'klingon']) {
		const bytes = Buffer.from('Mü');
		const contentType = `text/plain; charset=${charset}`;
		expect(decodeText(bytes.subarray(0, -1), contentType, true)).toEqual({ text: 'M' });
		expect(decodeText(bytes, contentType, false)).toEqual({ text: 'Mü' });
	}
});
