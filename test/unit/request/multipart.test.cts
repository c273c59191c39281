import { Readable } from 'node:stream';

import { Multipart } from '../../../engine/request/multipart';
import type { BinaryFile } from '../../../engine/request/binaryFile';

/** A form with a file of three bytes, as n8n recorded it, and what the HTTP client reads of that file. */
function formOf(open: BinaryFile['open']) {
	const form = new Multipart('file', { open, name: 'a', type: 'text/plain', size: 3, others: [] });
	const [[, part]] = [...form.entries()] as unknown as [[string, AsyncIterable<Uint8Array>]];
	return { form, part };
}

test('a file that is opened only after the response is closed', async () => {
	const stream = Readable.from([Buffer.from('abc')]);
	let opened!: () => void;
	const { form, part } = formOf(() => new Promise((resolve) => (opened = () => resolve(stream))));
	const reading = part[Symbol.asyncIterator]().next();
	form.closeFile();
	opened();
	await expect(reading).rejects.toThrow();
	expect(stream.destroyed).toBe(true);
});

// A service that has received the announced number of bytes would consider the file complete.
test('a file longer than recorded is never sent up to its recorded length', async () => {
	const { part } = formOf(() =>
		Readable.from([Buffer.from('a'), Buffer.from('bc'), Buffer.from('d')]),
	);
	let sent = 0;
	const read = async () => {
		for await (const chunk of part) sent += chunk.length;
	};
	await expect(read()).rejects.toThrow('3 bytes, but its storage has more');
	expect(sent).toBe(1);
});

test('a file that was read completely at the second attempt was sent completely', async () => {
	const tries = [['a'], ['a', 'bc']].map((chunks) => chunks.map((chunk) => Buffer.from(chunk)));
	const { form, part } = formOf(() => Readable.from(tries.shift()!));
	const read = async () => {
		let sent = 0;
		for await (const chunk of part) sent += chunk.length;
		return sent;
	};
	await expect(read()).rejects.toThrow('3 bytes, but its storage has 1');
	expect(form.fileError).toBeDefined();
	expect(await read()).toBe(3);
	expect(form.fileError).toBeUndefined();
	expect(() => form.assertReadWhole()).not.toThrow();
});
