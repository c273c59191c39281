// Creates and reads: each item is one request, and its answer is one object.
import type { IDataObject } from 'n8n-workflow';

import type { ItemOperation } from '../area';
import { isNotModified, recordIn, requireSuccess } from '../answer/answerData';
import { buildRequest } from '../request/request';
import { notModifiedResults, withIncluded, type Job, type JobServices } from './job';

export async function sendItem(
	{ send, hint }: JobServices,
	operation: ItemOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const body = operation.body && values.body;
	const answer = requireSuccess(await send(buildRequest(operation, values, body)), operation);
	if (isNotModified(answer)) return notModifiedResults(answer, values);
	return [withIncluded(recordIn(answer, operation, hint), values)];
}
