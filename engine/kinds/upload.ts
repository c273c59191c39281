// File upload: the item's binary data, streamed as multipart form data.
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isNotModified, answerRecord, requireSuccess } from '../answer/answerData';
import type { UploadOperation } from '../area';
import { shortened } from '../http/json';
import { findFile, type BinaryFile } from '../request/binaryFile';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import type { FieldProblem } from '../values/fields';
import { notModifiedResults, withIncluded, type Job, type JobServices } from './job';

/** The item's file, which must be there before anything is sent; entered among the problems when it is not. */
export async function fileOf(
	ctx: IExecuteFunctions,
	{ itemIndex, values: { settings } }: Job,
	problems: FieldProblem[],
): Promise<BinaryFile | undefined> {
	const reference = settings.inputDataFieldName;
	const found = await findFile(ctx, reference, itemIndex);
	if (!('missing' in found)) return found;
	const text = `is ${shortened(JSON.stringify(reference))}, but ${found.missing}`;
	problems.push({ label: 'Input Data Field Name', text });
	return undefined;
}

export async function sendUpload(
	{ send }: JobServices,
	operation: UploadOperation,
	{ values, file }: Job,
): Promise<IDataObject[]> {
	// An item without one was not let through.
	const form = new Multipart(values.settings.partName, file!);
	const answer = requireSuccess(
		await send(buildRequest(operation, values, form)).finally(() => form.closeFile()),
	);
	if (isNotModified(answer)) return notModifiedResults(answer, values);
	return [withIncluded(answerRecord(answer, operation.returns), values)];
}
