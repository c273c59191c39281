// A file as multipart form data, which n8n's HTTP client streams, and can send again after a token was renewed.
import type { BinaryFile, ByteStream } from './binaryFile';

/** A form's file, as axios reads it: name, type and size first, and its bytes as often as needed. */
type FilePart = Pick<BinaryFile, 'name' | 'type' | 'size'> & AsyncIterable<Uint8Array>;

/**
 * A form with a file. axios takes it for the web platform's FormData because of toStringTag, append and iterator (axios
 * 1.21, lib/utils.js, isFormData and isSpecCompliantForm), so it computes Content-Length and streams the part. A real
 * FormData would hold the file in memory, and a form of the form-data package can be sent only once.
 */
export class Multipart {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly openedStreams: ByteStream[] = [];

	/** When the file was last read from, by any of its streams; by performance.now(). */
	lastReadAt?: number;

	/** Why the file could not be read completely the last time; the request then broke off before its end. */
	fileError?: Error;

	/** Whether it was read to its end the last time. */
	private isReadWhole = false;

	private isClosed = false;

	/**
	 * @param partName name of the part with the file
	 * @param fields the other parts, which precede it: some services read no further than the file
	 */
	constructor(
		private readonly partName: string,
		readonly file: BinaryFile,
		private readonly fields: object = {},
	) {}

	/**
	 * The file's chunks, exactly as many bytes as its size. The last one is held back until the file has ended, so that the
	 * end of a file that is too long is never sent: a service that has read the announced number of bytes would accept it
	 * as complete.
	 * @throws Error if the file's length is not the one that n8n recorded
	 */
	private async *chunks({ open, size }: BinaryFile): AsyncGenerator<Uint8Array> {
		this.fileError = undefined;
		this.isReadWhole = false;
		let last: Uint8Array | undefined;
		let bytes = 0;
		try {
			const stream = await open();
			this.openedStreams.push(stream);
			// The service may respond while the file is being opened.
			if (this.isClosed) this.closeFile();
			for await (const chunk of stream) {
				bytes += chunk.length;
				this.lastReadAt = performance.now();
				if (bytes < size) yield chunk;
				else if (bytes > size) break;
				else last ??= chunk;
			}
			const found = `its storage has ${bytes > size ? 'more' : bytes}`;
			if (bytes !== size) throw new Error(`n8n recorded ${size} bytes, but ${found}`);
			if (last) yield last;
			this.isReadWhole = true;
		} catch (error) {
			this.fileError = error as Error;
			throw this.fileError;
		}
	}

	/** axios only checks that this method exists. */
	append(): never {
		throw new TypeError('The form is complete');
	}

	/** @throws Error if the service cannot have the complete file */
	assertReadWhole(): void {
		if (this.isReadWhole) return;
		throw (this.fileError ??= new Error('the service responded before it had all of it'));
	}

	/** Closes the file, which would stay open if the service responds before it has read everything. */
	closeFile(): void {
		this.isClosed = true;
		for (const stream of this.openedStreams) stream.destroy?.();
	}

	*entries(): Generator<[string, FilePart | string]> {
		for (const [name, value] of Object.entries(this.fields)) yield [name, String(value)];
		const { name, type, size } = this.file;
		const part = { name, type, size, [Symbol.asyncIterator]: () => this.chunks(this.file) };
		yield [this.partName, part];
	}

	/** axios only checks that this exists. */
	readonly [Symbol.iterator] = this.entries.bind(this);
}
