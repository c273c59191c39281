// Finds the file in an item's binary data. It can be opened as often as needed, and is not held in memory.
import { sleep, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import type { FieldProblem } from '../failure';
import { adviceAllFiles } from '../form/settings';
import { isObject, orUndefined, truncate } from '../http/json';
import { keepsFilesInJson } from '../n8n';
import { objectOrEmpty } from '../values/formInputs';

/** The part of a Node.js Readable that is used. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy?(): unknown;
}

export interface BinaryFile {
	name: string;
	/** Media type. */
	type: string;
	/** Bytes. For a file in n8n's storage, n8n recorded them when it stored the file. */
	size: number;
	/** Opens a new stream over the whole file. */
	open: () => ByteStream | Promise<ByteStream>;
	/** The names of the item's other files. */
	others: readonly string[];
}

/** Bytes of a file inside the item to hand over at a time, so that it is not all read before it is sent. */
const sliceBytes = 64 * 1024;

/** Bytes to read at a time. Larger chunks than n8n's own 64 kB are cheaper, since streams cost by the chunk. */
const chunkBytes = 256 * 1024;

/** Base64 in either alphabet (RFC 4648 §4, §5), in lines as MIME has it (RFC 2045 §6.8). */
const notBase64 = /[^A-Za-z\d+/\-_=\s]/;

/** A blank name does not count: without a name, a form's part is not a file (RFC 7578 §4.2). */
const nameOf = ({ fileName, fileExtension }: IBinaryData, defaultName: string): string => {
	if (fileName?.trim()) return fileName;
	return fileExtension ? `${defaultName}.${fileExtension}` : defaultName;
};

/** The problem with a file, for example from a Code node; undefined if it is readable. */
function fileProblem(file: unknown): string | undefined {
	if (!isObject(file)) return 'it is not a file: a file is an object with data and mimeType';
	const isText = (name: string) => typeof (file[name] ?? '') === 'string';
	const notText = ['fileName', 'fileExtension', 'mimeType'].find((name) => !isText(name));
	if (notText !== undefined) return `the ${notText} of the file is not text`;
	if (file.id) return undefined;
	if (typeof file.data !== 'string') return 'the file has no data: it must be Base64 text';
	const foreign = notBase64.exec(file.data)?.[0];
	return foreign && `its data is not Base64: it contains the character ${JSON.stringify(foreign)}`;
}

/** Whether a value of an item's JSON is a file of n8n's; one in n8n's storage has the storage's name as its data. */
const isFile = (value: unknown): boolean =>
	isObject(value) && typeof value.mimeType === 'string' && typeof value.data === 'string';

/** The item's files by name, wherever n8n keeps them. */
function filesOf(ctx: IExecuteFunctions, itemIndex: number): Map<string, IBinaryData> {
	const { json, binary } = ctx.getInputData()[itemIndex]!;
	// In any other mode, JSON from outside could name someone else's file in n8n's storage.
	if (!keepsFilesInJson(ctx)) return new Map(Object.entries(binary ?? {}));
	// Split Out leaves a single file there, or makes it the item itself.
	const single = [json._files, json].find(isFile);
	const inJson = single ? { _files: single } : objectOrEmpty(json._files);
	return new Map(Object.entries({ ...(inJson as typeof binary), ...binary }));
}

/**
 * The item's file, or the problem if it has none. The name that the form starts with means an item's only file,
 * whatever its own name. Data that n8n keeps outside the item (`id` is set: file system, database, S3) is streamed, and
 * its metadata shows whether it still exists. Data inside the item is in memory already.
 * @param given name of the item's binary field, or a binary object from an expression
 */
export async function findFile(
	ctx: IExecuteFunctions,
	given: string | IBinaryData,
	itemIndex: number,
): Promise<BinaryFile | FieldProblem> {
	const files = filesOf(ctx, itemIndex);
	const [onlyName = given] = files.keys();
	const reference = given === 'data' && files.size === 1 ? onlyName : given;
	const find = () => ctx.helpers.assertBinaryData(itemIndex, reference);
	const binaryData = files.get(reference as string) ?? orUndefined(find);
	const isNamed = typeof reference === 'string';
	const others = [...files.keys()].filter((name) => isNamed && files.get(name) !== binaryData);
	const problem = (rule: string): FieldProblem => {
		const value = truncate(JSON.stringify(reference));
		return { label: 'Input Data Field Name', text: `is ${value}, but ${rule}`, rule, value };
	};
	if (binaryData === undefined) {
		const whatItHas =
			files.size > 0
				? `its files are: ${[...files.keys()].join(', ')}; for all of them, ${adviceAllFiles}`
				: 'it has no files: many nodes pass none on, so put this node right after the one that gives them';
		return problem(`the item has no file with that name (${whatItHas})`);
	}
	const unusable = fileProblem(binaryData);
	if (unusable !== undefined) return problem(unusable);
	const { id, data, mimeType: type } = binaryData;
	const name = nameOf(binaryData, isNamed ? reference : 'data');
	if (!id) {
		// Decoded each time, since the files of all items together may not fit into memory twice.
		const decode = () => Buffer.from(data, 'base64');
		const open = async function* () {
			const bytes = decode();
			for (let at = 0; at < bytes.length; at += sliceBytes) {
				// In between, the service's response is read, as it is with a file from storage.
				await sleep(0);
				yield bytes.subarray(at, at + sliceBytes);
			}
		};
		return { name, type, size: decode().length, open, others };
	}
	const open = async () => await ctx.helpers.getBinaryStream(id, chunkBytes);
	return await ctx.helpers.getBinaryMetadata(id).then(
		({ fileSize: size }) => ({ name, type, size, open, others }),
		({ message }: Error) => problem(`n8n's storage no longer has the file (${message})`),
	);
}
