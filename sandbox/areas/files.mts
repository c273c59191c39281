import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { badRequest } from '../errorResponses.mts';
import type { RecordStore } from '../recordStore.mts';

/** A browser writes a quote or a line break in a file's name this way (WHATWG, multipart/form-data encoding). */
const decodedName = (name: string) =>
	name.replace(/%22|%0D|%0A/g, (escape) => decodeURIComponent(escape));

/**
 * Files are streamed into a folder while they arrive; only a whole one gets a record.
 * @param folder where the files are kept, each under its GUID
 */
export const files = (store: RecordStore, folder: string) => {
	const received = new WeakMap<
		FastifyRequest,
		{ fileGUID: string; part: MultipartFile; size: number }
	>();

	return {
		/** Called for each file part while the request is read. */
		async receive(request: FastifyRequest, part: MultipartFile): Promise<void> {
			const fileGUID = randomUUID();
			const incoming = join(folder, `${fileGUID}.incoming`);
			const target = createWriteStream(incoming);
			try {
				await pipeline(part.file, target);
			} catch (error) {
				await rm(incoming, { force: true });
				throw error;
			}
			received.set(request, { fileGUID, part, size: target.bytesWritten });
		},

		handlers: {
			async uploadFile(request: FastifyRequest, reply: FastifyReply) {
				const file = received.get(request);
				if (!file) throw badRequest({ field: 'body', message: 'holds no file' });
				const { fileGUID, part, size } = file;
				await rename(join(folder, `${fileGUID}.incoming`), join(folder, fileGUID));
				const now = new Date().toISOString();
				const record = {
					fileContentType: part.mimetype,
					fileLastModified: now,
					fileSize: size,
					fileCreated: now,
					fileName: decodedName(part.filename),
					fileData: '',
					fileGUID,
				};
				store.insert('file', record);
				reply.code(201);
				return record;
			},
		},
	};
};
