import { Readable } from 'node:stream';

import { Multipart } from '../../../engine/request/multipart';

test('a file that is opened only after the response is closed', async () => {
	const stream = Readable.from([Buffer.from('abc')]);
	let opened!: () => void;
	const open = () => new Promise<Readable>((resolve) => (opened = () => resolve(stream)));
	const form = new Multipart('file', { open, name: 'a', type: 'text/plain', size: 3, others: [] });
	const [[, part]] = [...form.entries()] as unknown as [[string, AsyncIterable<Uint8Array>]];
	const reading = part[Symbol.asyncIterator]().next();
	form.closeFile();
	opened();
	await expect(reading).rejects.toThrow();
	expect(stream.destroyed).toBe(true);
});
