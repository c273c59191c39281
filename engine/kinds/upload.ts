// File upload: the item's binary data, streamed as multipart form data.
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { UploadOperation } from '../area';
import { isUnchanged, recordOf } from '../answer/answer';
import { findFile, openable } from '../request/file';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import type { Problem } from '../values/values';
import { unchanged, type Job, type Service } from './job';

/** The item's file must be there before anything is sent. */
export function checkFile(
	ctx: Service['ctx'],
	{ itemIndex, values: { settings } }: Job,
): Problem[] {
	const reference = settings.inputDataFieldName;
	const found = findFile(ctx, reference, itemIndex);
	return 'missing' in found
		? [
				{
					label: 'Input Data Field Name',
					text: `is ${JSON.stringify(reference)}, but ${found.missing}`,
				},
			]
		: [];
}

export async function upload(
	{ ctx, send }: Service,
	operation: UploadOperation,
	{ itemIndex, values }: Job,
): Promise<IDataObject[]> {
	const { inputDataFieldName: reference, partName } = values.settings;
	const data = findFile(ctx, reference, itemIndex) as IBinaryData;
	const file = await openable(ctx, data, typeof reference === 'string' ? reference : 'data');
	const form = new Multipart(partName as string, file);
	const answer = await send(buildRequest(operation, values, form)).finally(() => form.release());
	return isUnchanged(answer) ? unchanged(values) : [recordOf(answer, operation.returns)];
}
