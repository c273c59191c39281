import { PassThrough, Readable } from 'node:stream';

import { readText } from '../../engine/http/text';

test('a whole body, cut between the bytes of a character', async () => {
	const bytes = Buffer.from('{"name":"Müller"}');
	const cut = bytes.indexOf(0xc3) + 1;
	const body = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)], { objectMode: false });
	expect(await readText(body, 100)).toEqual({ text: '{"name":"Müller"}' });
});

test('more than the limit is not read, and the stream is closed', async () => {
	let given = 0;
	const body = Readable.from(
		(function* () {
			for (;;) yield Buffer.alloc(1000, ++given % 10);
		})(),
		{ objectMode: false },
	);
	expect((await readText(body, 10_000)).cut).toBe('tooLarge');
	expect(body.destroyed).toBe(true);
	expect(given).toBeLessThan(100);
});

test('a stream that breaks, or was closed, in the middle', async () => {
	for (const reason of [new Error('reset'), undefined]) {
		const body = new PassThrough();
		body.write('{"half":');
		const reading = readText(body, 100);
		await new Promise((resolve) => setImmediate(resolve));
		body.destroy(reason);
		expect(await reading).toEqual({ text: '{"half":', cut: 'brokenOff' });
	}
});

test('a stream that broke before it was read', async () => {
	const body = new PassThrough();
	body.on('error', () => {});
	body.destroy(new Error('reset'));
	await new Promise((resolve) => setImmediate(resolve));
	expect(await readText(body, 100)).toEqual({ text: '', cut: 'brokenOff' });
});
