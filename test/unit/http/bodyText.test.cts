import { PassThrough, Readable } from 'node:stream';

import { readBodyText } from '../../../engine/http/bodyText';
import { nextTurn } from '../../harness/eventLoop.cts';

const bodyOf = (...chunks: Buffer[]) => Readable.from(chunks, { objectMode: false });
/** A body of this size in bytes. */
const bodyOfSize = (size: number) => bodyOf(Buffer.alloc(size, 'x'));

test('a body whose chunks split a character is read correctly', async () => {
	const bytes = Buffer.from('{"name":"Müller"}');
	const cut = bytes.indexOf(0xc3) + 1;
	const body = bodyOf(bytes.subarray(0, cut), bytes.subarray(cut));
	expect(await readBodyText(body, 100)).toEqual({ text: '{"name":"Müller"}' });
});

test.each([
	['M\xfcller', { text: 'M\ufffdller', isNotUtf8: true }],
	['\xef\xbf\xbd', { text: '\ufffd' }],
	['\xef\xbb\xbfa', { text: 'a' }],
	['M\xc3', { text: 'M\ufffd', isNotUtf8: true }],
])('%j is read as UTF-8, and invalid bytes are detected', async (bytes, expected) => {
	expect(await readBodyText(bodyOf(Buffer.from(bytes, 'latin1')), 100)).toEqual(expected);
});

test.each([
	['{"half":', undefined, '{"half":'],
	['{"half":', new Error('reset'), '{"half":'],
	// A character that is cut off at the end is left out.
	['M\xc3', undefined, 'M'],
])('a stream that breaks off after %j (%s)', async (bytes, reason, text) => {
	const body = new PassThrough();
	body.write(Buffer.from(bytes, 'latin1'));
	const reading = readBodyText(body, 100);
	await nextTurn();
	body.destroy(reason);
	expect(await reading).toEqual({ text, cut: 'brokenOff' });
});

test('a stream that broke before it was read', async () => {
	const body = new PassThrough();
	body.on('error', () => {});
	body.destroy(new Error('reset'));
	await nextTurn();
	expect(await readBodyText(body, 100)).toEqual({ text: '', cut: 'brokenOff' });
});

test('a body up to the limit is read, and a larger one is cut and its stream closed', async () => {
	expect(await readBodyText(bodyOfSize(1000), 1000)).toEqual({ text: 'x'.repeat(1000) });
	expect((await readBodyText(bodyOfSize(1001), 1000)).cut).toBe('tooLarge');
	let given = 0;
	const endless = function* () {
		for (;;) yield Buffer.alloc(1000, ++given % 10);
	};
	const body = Readable.from(endless(), { objectMode: false });
	expect((await readBodyText(body, 10_000)).cut).toBe('tooLarge');
	expect(body.destroyed).toBe(true);
	expect(given).toBeLessThan(100);
});

test("a run's total limit applies to large responses, and small ones pass", async () => {
	const budget = { bytesLeft: 1_000_000 };
	const read = (size: number) => readBodyText(bodyOfSize(size), 10_000_000, budget);
	expect((await read(600_000)).text).toHaveLength(600_000);
	expect((await read(600_000)).cut).toBe('tooLarge');
	expect((await read(1_000)).text).toHaveLength(1_000);
});
