// Operations whose successful answer has no body, or one that the interface does not show. When no body comes, the
// output is a fixed object that says what was done.
import type { IDataObject } from 'n8n-workflow';

import type { EmptyOperation } from '../area';
import { isNotModified, dataOrNothingIn, requireSuccess } from '../answer/answerData';
import { buildRequest } from '../request/request';
import { notModifiedResults, withIncluded, type Job, type JobServices } from './job';

export async function sendEmpty(
	{ send, hint }: JobServices,
	operation: EmptyOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const body = operation.body && values.body;
	const answer = requireSuccess(await send(buildRequest(operation, values, body)), operation);
	if (isNotModified(answer)) return notModifiedResults(answer, values);
	const data = dataOrNothingIn(answer, operation, hint);
	const hasData = Object.keys(data).length > 0;
	return [withIncluded(hasData ? data : { ...operation.output }, values)];
}
