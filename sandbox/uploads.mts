// Uploaded files on their way into the files' folder, while the request is still being read.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

export interface Upload {
	fileGUID: string;
	part: MultipartFile;
	size: number;
}

const uploads = new WeakMap<FastifyRequest, Upload>();

const incomingPath = (folder: string, fileGUID: string) => join(folder, `${fileGUID}.incoming`);

/** Streams a file part into the folder, so that a large file takes little memory. */
export async function receiveUpload(
	folder: string,
	request: FastifyRequest,
	part: MultipartFile,
): Promise<void> {
	const fileGUID = randomUUID();
	const path = incomingPath(folder, fileGUID);
	const target = createWriteStream(path);
	try {
		await pipeline(part.file, target);
	} catch (error) {
		await rm(path, { force: true });
		throw error;
	}
	uploads.set(request, { fileGUID, part, size: target.bytesWritten });
}

/**
 * Keeps a request's file under its GUID. Only complete and permitted requests get here.
 * @returns undefined when the request has no file
 */
export async function keepUpload(
	folder: string,
	request: FastifyRequest,
): Promise<Upload | undefined> {
	const upload = uploads.get(request);
	if (!upload) return undefined;
	uploads.delete(request);
	await rename(incomingPath(folder, upload.fileGUID), join(folder, upload.fileGUID));
	return upload;
}

/** Removes the file of a request that was refused after the upload. */
export async function discardUpload(folder: string, request: FastifyRequest): Promise<void> {
	const upload = uploads.get(request);
	if (upload) await rm(incomingPath(folder, upload.fileGUID), { force: true });
}
