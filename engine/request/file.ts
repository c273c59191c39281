// n8n binary data → a file that can be opened as often as needed, without holding it in memory.
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** A Node.js Readable, or less. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy?(): unknown;
}

export interface BinaryFile {
	name: string;
	/** Media type. */
	type: string;
	/** Bytes. */
	size: number;
	/** A fresh stream over the whole file. */
	open: () => ByteStream | Promise<ByteStream>;
}

/** Bytes read at once: a file's way through streams costs by the chunk. n8n's own is 64 kB. */
const chunkBytes = 256 * 1024;

/**
 * The file an item carries, or why there is none. It can be opened again and again. Data that n8n keeps outside
 * the item (`id` set: file system, database, S3) is streamed; that it is there is seen by its metadata. Data
 * inside the item is in memory already.
 * @param reference name of the item's binary field, or a binary object from an expression
 */
export async function findFile(
	ctx: IExecuteFunctions,
	reference: string | IBinaryData,
	itemIndex: number,
): Promise<BinaryFile | { missing: string }> {
	let found: IBinaryData;
	try {
		found = ctx.helpers.assertBinaryData(itemIndex, reference);
	} catch {
		const present = Object.keys(ctx.getInputData()[itemIndex]?.binary ?? {});
		const has = present.length > 0 ? `its files are: ${present.join(', ')}` : 'it has no files';
		return { missing: `the item has no file of that name (${has})` };
	}
	const { id, data, mimeType: type, fileExtension, fileName } = found;
	const fallback = typeof reference === 'string' ? reference : 'data';
	const name = fileName ?? (fileExtension ? `${fallback}.${fileExtension}` : fallback);
	if (!id) {
		const open = async function* () {
			yield Buffer.from(data, 'base64');
		};
		return { name, type, size: Buffer.byteLength(data, 'base64'), open };
	}
	try {
		const { fileSize: size } = await ctx.helpers.getBinaryMetadata(id);
		const open = async () => await ctx.helpers.getBinaryStream(id, chunkBytes);
		return { name, type, size, open };
	} catch (error) {
		return {
			missing: `n8n's storage does not have the file any more (${(error as Error).message})`,
		};
	}
}
