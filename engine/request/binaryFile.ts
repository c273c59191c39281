// Finds the file among an item's binary data in n8n. The file can be opened as often as needed, and is not held in
// memory.
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** The part of a Node.js Readable that is used here. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy?(): unknown;
}

export interface BinaryFile {
	name: string;
	/** Media type. */
	type: string;
	/** Bytes. */
	size: number;
	/** Opens a new stream over the whole file. */
	open: () => ByteStream | Promise<ByteStream>;
}

/** Bytes that are read at once. Larger chunks than n8n's own 64 kB cost less, since streams cost by the chunk. */
const chunkBytes = 256 * 1024;

/**
 * The file that an item carries, or why there is none. Data that n8n keeps outside the item (`id` is set: file system,
 * database, S3) is streamed, and its metadata shows whether it is still there. Data inside the item is in memory
 * already.
 * @param reference name of the item's binary field, or a binary object from an expression
 */
export async function findFile(
	ctx: IExecuteFunctions,
	reference: string | IBinaryData,
	itemIndex: number,
): Promise<BinaryFile | { missing: string }> {
	let binaryData: IBinaryData;
	try {
		binaryData = ctx.helpers.assertBinaryData(itemIndex, reference);
	} catch {
		const fieldNames = Object.keys(ctx.getInputData()[itemIndex]?.binary ?? {});
		const whatItHas =
			fieldNames.length > 0 ? `its files are: ${fieldNames.join(', ')}` : 'it has no files';
		return { missing: `the item has no file of that name (${whatItHas})` };
	}
	const { id, data, mimeType: type, fileExtension, fileName } = binaryData;
	const defaultName = typeof reference === 'string' ? reference : 'data';
	const name = fileName ?? (fileExtension ? `${defaultName}.${fileExtension}` : defaultName);
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
