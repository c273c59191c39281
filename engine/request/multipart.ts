// A file as multipart form data that n8n's HTTP client streams, and can send again after a renewed token.
import { readClock, type ClockReading } from '../http/clock';
import type { BinaryFile, ByteStream } from './binaryFile';

/** What axios reads of a file in a form: name, type, size in advance, and its bytes as often as needed. */
interface FilePart {
	name: string;
	type: string;
	size: number;
	[Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

/**
 * Looks like the web platform's FormData to axios (toStringTag, append, iterator), which computes
 * Content-Length and streams the part. A real FormData would hold the file in memory; a form of the
 * form-data package can be sent only once.
 */
export class Multipart {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly part: FilePart;

	private readonly opened: ByteStream[] = [];

	/** When the file was last read from. */
	lastRead?: ClockReading;

	/** @param partName name of the one part */
	constructor(
		private readonly partName: string,
		file: BinaryFile,
	) {
		const { name, type, size } = file;
		const { opened } = this;
		const read = () => (this.lastRead = readClock());
		this.part = {
			name,
			type,
			size,
			async *[Symbol.asyncIterator]() {
				const stream = await file.open();
				opened.push(stream);
				for await (const chunk of stream) {
					read();
					yield chunk;
				}
			},
		};
	}

	/** axios only looks whether it is there. */
	append(): never {
		throw new TypeError('The form is complete');
	}

	/** Closes the file. A service that answers before it has read everything leaves it open. */
	release(): void {
		for (const stream of this.opened) stream.destroy?.();
	}

	*entries(): Generator<[string, FilePart]> {
		yield [this.partName, this.part];
	}

	[Symbol.iterator](): Generator<[string, FilePart]> {
		return this.entries();
	}
}
