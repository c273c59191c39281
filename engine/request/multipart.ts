// A file as multipart form data. n8n's HTTP client streams it, and can send it again after a token was renewed.
import type { BinaryFile, ByteStream } from './binaryFile';

/** A file in a form, as axios reads it: name, type and size beforehand, and its bytes as often as needed. */
type FilePart = Pick<BinaryFile, 'name' | 'type' | 'size'> & AsyncIterable<Uint8Array>;

/**
 * A form with a file. To axios it looks like the FormData of the web platform (toStringTag, append,
 * iterator), so that axios computes Content-Length and streams the part. A real FormData would hold the file in
 * memory, and a form of the form-data package can be sent only once.
 */
export class Multipart {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly openedStreams: ByteStream[] = [];

	/** By performance.now(): when the file was last read from, by any of its streams. */
	lastReadAt?: number;

	/** Why the file could not be read whole, when it was read last: then the request broke off before its end. */
	fileError?: Error;

	/** Whether it was read to its end, when it was read last. */
	private isReadWhole = false;

	private isClosed = false;

	/**
	 * @param partName name of the part with the file
	 * @param fields the other parts, which stand before it: some services read no further than the file
	 */
	constructor(
		private readonly partName: string,
		readonly file: BinaryFile,
		private readonly fields: object = {},
	) {}

	/**
	 * The chunks of the file, exactly as many bytes as its size says. Each chunk is held back until the next one is there,
	 * so that the end of a file that is too long is never sent: a service that has read as much as was announced would
	 * take it for whole.
	 * @throws Error for a file that is not as long as n8n noted
	 */
	private async *chunks({ open, size }: BinaryFile): AsyncGenerator<Uint8Array> {
		this.fileError = undefined;
		this.isReadWhole = false;
		let held: Uint8Array | undefined;
		let bytes = 0;
		try {
			const stream = await open();
			this.openedStreams.push(stream);
			// The service may respond while the file is being opened.
			if (this.isClosed) this.closeFile();
			for await (const chunk of stream) {
				bytes += chunk.length;
				if (bytes > size)
					throw new Error(`n8n's storage has more of the file than the ${size} bytes it recorded`);
				this.lastReadAt = performance.now();
				if (held) yield held;
				held = chunk;
			}
			if (bytes < size) throw new Error(`n8n's storage has ${bytes} of the file's ${size} bytes`);
			this.lastReadAt = performance.now();
			if (held) yield held;
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

	/** @throws Error for a file that cannot be there as a whole */
	assertReadWhole(): void {
		if (this.isReadWhole) return;
		throw (this.fileError ??= new Error('the service responded before it had all of it'));
	}

	/** Closes the file. It stays open if the service responds before it has read everything. */
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
