// Operations on one record: each item is one request, and its response is one object, or nothing. An upload sends a
// file, streamed as multipart form data.
import { hasMetNoRecord, parseData, successIn } from '../answer/answerData';
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

const notFoundHint =
	"Items with 'notFound': it was unclear whether the service had processed the first try, and when the request was repeated, there was no such record. Either the first try has removed it, or the ID is wrong. Check the IDs.";

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
		if (hasMetNoRecord(answer)) {
			hint(notFoundHint);
			settle(itemIndex, [outputOf(values, { notFound: true, ...values.path })]);
			return;
		}
		const success = successIn(answer, etag);
		settle(itemIndex, [outputOf(values, success && parseData(success, operation, hint))]);
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
