// File upload: the item's binary data, streamed as multipart form data.
import type { IDataObject } from 'n8n-workflow';

import { isUnchanged, recordOf, succeeded } from '../answer/answer';
import type { UploadOperation } from '../area';
import { shortened } from '../http/json';
import { findFile, openable } from '../request/file';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import type { Problem } from '../values/fields';
import { unchanged, type Job, type Service } from './job';

/** The item's file must be there before anything is sent. */
export function checkFile(
	ctx: Service['ctx'],
	{ itemIndex, values: { settings } }: Job,
): Problem[] {
	const reference = settings.inputDataFieldName;
	const found = findFile(ctx, reference, itemIndex);
	if (!('missing' in found)) return [];
	const text = `is ${shortened(JSON.stringify(reference))}, but ${found.missing}`;
	return [{ label: 'Input Data Field Name', text }];
}

export async function upload(
	{ ctx, send }: Service,
	operation: UploadOperation,
	{ itemIndex, values }: Job,
): Promise<IDataObject[]> {
	const { inputDataFieldName: reference, partName } = values.settings;
	const data = ctx.helpers.assertBinaryData(itemIndex, reference);
	const file = await openable(ctx, data, typeof reference === 'string' ? reference : 'data');
	const form = new Multipart(partName, file);
	const answer = succeeded(
		await send(buildRequest(operation, values, form)).finally(() => form.release()),
	);
	return isUnchanged(answer) ? unchanged(answer, values) : [recordOf(answer, operation.returns)];
}
