// Creates, reads, uploads, and writes whose answer the interface does not show: each item is one request, and its
// answer is one object.
import type { IDataObject } from 'n8n-workflow';

import type { EmptyOperation, ItemOperation, UploadOperation } from '../area';
import { dataIn, isNotModified, requireSuccess } from '../answer/answerData';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import { notModifiedResult, withIncluded, type Job, type JobServices } from './job';

export async function sendOne(
	{ send, hint }: JobServices,
	operation: ItemOperation | UploadOperation | EmptyOperation,
	{ values, file }: Job,
): Promise<IDataObject> {
	const form = file && new Multipart(values.settings.partName, file);
	const fields = 'body' in operation ? values.body : undefined;
	const sending = send(buildRequest(operation, values, form ?? fields));
	const answer = requireSuccess(await sending.finally(() => form?.closeFile()), operation);
	if (isNotModified(answer)) return notModifiedResult(answer, values);
	return withIncluded(dataIn(answer, operation, hint), values);
}
