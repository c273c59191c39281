import { PassThrough, Readable } from 'node:stream';

import { readBodyText } from '../../../engine/http/bodyText';

/** A body of so many bytes. */
const bodyOf = (size: number) => Readable.from([Buffer.alloc(size, 'x')], { objectMode: false });

test('a whole body, cut between the bytes of a character', async () => {
	const bytes = Buffer.from('{"name":"Müller"}');
	const cut = bytes.indexOf(0xc3) + 1;
	const body = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)], { objectMode: false });
	expect(await readBodyText(body, 100)).toEqual({ text: '{"name":"Müller"}' });
});

test.each([
	['M\xfcller', { text: 'M\ufffdller', isNotUtf8: true }],
	['\xef\xbf\xbd', { text: '\ufffd' }],
	['\xef\xbb\xbfa', { text: 'a' }],
	['M\xc3', { text: 'M\ufffd', isNotUtf8: true }],
])('%j is read as UTF-8, and what is none is seen', async (bytes, expected) => {
	const body = Readable.from([Buffer.from(bytes, 'latin1')], { objectMode: false });
	expect(await readBodyText(body, 100)).toEqual(expected);
});

test('a character that is cut off at the end is left out', async () => {
	const body = new PassThrough();
	body.write(Buffer.from('M\xc3', 'latin1'));
	const reading = readBodyText(body, 100);
	await new Promise((resolve) => setImmediate(resolve));
	body.destroy();
	expect(await reading).toEqual({ text: 'M', cut: 'brokenOff' });
});

test('more than the limit is not read, and the stream is closed', async () => {
	let given = 0;
	const body = Readable.from(
		(function* () {
			for (;;) yield Buffer.alloc(1000, ++given % 10);
		})(),
		{ objectMode: false },
	);
	expect((await readBodyText(body, 10_000)).cut).toBe('tooLarge');
	expect(body.destroyed).toBe(true);
	expect(given).toBeLessThan(100);
});

test('as much as the limit is read', async () => {
	expect(await readBodyText(bodyOf(1000), 1000)).toEqual({ text: 'x'.repeat(1000) });
	expect((await readBodyText(bodyOf(1001), 1000)).cut).toBe('tooLarge');
});

test('a stream that breaks, or was closed, in the middle', async () => {
	for (const reason of [new Error('reset'), undefined]) {
		const body = new PassThrough();
		body.write('{"half":');
		const reading = readBodyText(body, 100);
		await new Promise((resolve) => setImmediate(resolve));
		body.destroy(reason);
		expect(await reading).toMatchObject({ text: '{"half":', cut: 'brokenOff' });
	}
});

test('a stream that broke before it was read', async () => {
	const body = new PassThrough();
	body.on('error', () => {});
	body.destroy(new Error('reset'));
	await new Promise((resolve) => setImmediate(resolve));
	expect(await readBodyText(body, 100)).toEqual({ text: '', cut: 'brokenOff' });
});

test('what all answers of a run may hold together bounds the large ones; small ones pass', async () => {
	const budget = { bytesLeft: 1_000_000 };
	const read = (size: number) => readBodyText(bodyOf(size), 10_000_000, budget);
	expect((await read(600_000)).text).toHaveLength(600_000);
	expect((await read(600_000)).cut).toBe('tooLarge');
	expect((await read(1_000)).text).toHaveLength(1_000);
});
