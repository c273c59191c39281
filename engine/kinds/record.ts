// Operations on one record: each item is one request, and its response is one object, or nothing. An upload sends a
// file, streamed as multipart form data.
import { parseData, standInOf } from '../answer/answerData';
import {
	bodyFieldsOf,
	type EmptyOperation,
	type SingleOperation,
	type UploadOperation,
} from '../area';
import { maxAnswerBytes, maxRecordBytes } from '../http/bodyText';
import { findFile } from '../request/binaryFile';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import { maxHeavyRequests, outputOf, type Kind } from './job';

/** How many bytes a byte of a file may take in a response that brings it back: as Base64 in lines, or with escapes. */
const answeredBytesPerByte = 1.4;

/** The most bytes of a response, which may also bring back the file that was sent. */
const maxBytesOf = (fileSize = 0): number =>
	Math.min(maxAnswerBytes, maxRecordBytes + Math.ceil(fileSize * answeredBytesPerByte));

export const record: Kind<SingleOperation | UploadOperation | EmptyOperation> = {
	maxParallel: Infinity,

	async send({ send, operation, jobs, hint, settle, beforeSending }) {
		const { itemIndex, values, file } = jobs[0]!;
		const { partName, additionalFields, etag } = values.settings;
		const form = file && new Multipart(partName, file, additionalFields);
		const body = form ?? (bodyFieldsOf(operation) && values.body);
		const sent = { body, maxAnswerBytes: maxBytesOf(file?.size), beforeSending };
		const answer = await send(buildRequest(operation, values, sent)).finally(() =>
			form?.closeFile(),
		);
		const standIn = standInOf(answer, etag, hint);
		settle(itemIndex, [outputOf(values, standIn ?? parseData(answer, operation, hint))]);
	},
};

export const upload: typeof record = {
	...record,
	maxParallel: maxHeavyRequests,

	/** The file must be there before anything is sent. */
	async prepare(ctx, job, inputHints) {
		const found = await findFile(ctx, job.values.settings.inputDataFieldName, job.itemIndex);
		if ('text' in found) return found;
		job.file = found;
		inputHints.otherFiles = found.others;
		if (found.size === 0) inputHints.emptyFiles = [found.name];
		return undefined;
	},
};
