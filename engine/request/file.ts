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

/**
 * The file an item carries, or why there is none.
 * @param reference name of the item's binary field, or a binary object from an expression
 */
export function findFile(
	ctx: IExecuteFunctions,
	reference: string | IBinaryData,
	itemIndex: number,
): IBinaryData | { missing: string } {
	try {
		return ctx.helpers.assertBinaryData(itemIndex, reference);
	} catch {
		const present = Object.keys(ctx.getInputData()[itemIndex]?.binary ?? {});
		const has = present.length > 0 ? `its files are: ${present.join(', ')}` : 'it carries no file';
		return { missing: `the item has no file of that name (${has})` };
	}
}

/**
 * A file that can be opened again and again. Data that n8n keeps outside the item (`id` set: file system,
 * database, S3) is streamed; data inside the item is in memory already and used as it is.
 * @param fallbackName name of a file that has none
 */
export async function openable(
	ctx: IExecuteFunctions,
	data: IBinaryData,
	fallbackName: string,
): Promise<BinaryFile> {
	const { id, mimeType, fileExtension, fileName } = data;
	const about = {
		name: fileName ?? (fileExtension ? `${fallbackName}.${fileExtension}` : fallbackName),
		type: mimeType,
	};
	if (id) {
		const { fileSize: size } = await ctx.helpers.getBinaryMetadata(id);
		return { ...about, size, open: async () => await ctx.helpers.getBinaryStream(id) };
	}
	const buffer = Buffer.from(data.data, 'base64');
	const open = async function* () {
		yield buffer;
	};
	return { ...about, size: buffer.length, open };
}
