import type { Area } from '../area.mts';
import { badRequest } from '../errorResponses.mts';
import { keepUpload } from '../uploads.mts';

/** A browser writes a quote or a line break in a file's name this way (WHATWG, multipart/form-data encoding). */
const decodedName = (name: string) =>
	name.replace(/%22|%0D|%0A/g, (escape) => decodeURIComponent(escape));

export const area: Area = {
	kinds: { file: 'Files' },
	handlers: {
		async uploadFile({ records, filesFolder }, request, reply) {
			const upload = await keepUpload(filesFolder, request);
			if (!upload) throw badRequest({ field: 'body', message: 'holds no file' });
			const { fileGUID, part, size } = upload;
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
			records.insert('file', record);
			reply.code(201);
			return record;
		},
	},
};
