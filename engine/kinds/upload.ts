// Uploads a file: an item's binary data, streamed as multipart form data.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isNotModified, recordIn, requireSuccess } from '../answer/answerData';
import type { UploadOperation } from '../area';
import { shortened } from '../http/json';
import { findFile, type BinaryFile } from '../request/binaryFile';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import type { FieldProblem } from '../values/fields';
import { notModifiedResults, withIncluded, type Job, type JobServices } from './job';

/**
 * Finds the item's file. It must be there before anything is sent: when it is not, that is added to the problems.
 * @returns undefined when there is none
 */
export async function fileOf(
	ctx: IExecuteFunctions,
	{ itemIndex, values: { settings } }: Job,
	problems: FieldProblem[],
): Promise<BinaryFile | undefined> {
	const reference = settings.inputDataFieldName;
	const file = await findFile(ctx, reference, itemIndex);
	if (!('missing' in file)) return file;
	const rule = file.missing;
	const text = `is ${shortened(JSON.stringify(reference))}, but ${rule}`;
	problems.push({ label: 'Input Data Field Name', text, rule });
	return undefined;
}

export async function sendUpload(
	{ send, hint }: JobServices,
	operation: UploadOperation,
	{ values, file }: Job,
): Promise<IDataObject[]> {
	// readItems() gives no job for an item without a file.
	const formData = new Multipart(values.settings.partName, file!);
	const answer = requireSuccess(
		await send(buildRequest(operation, values, formData)).finally(() => formData.closeFile()),
		operation,
	);
	if (isNotModified(answer)) return notModifiedResults(answer, values);
	return [withIncluded(recordIn(answer, operation, hint), values)];
}
