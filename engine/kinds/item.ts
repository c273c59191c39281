// Create and read: one request an item, one object back.
import type { IDataObject } from 'n8n-workflow';

import type { ItemOperation } from '../area';
import { isUnchanged, recordOf, succeeded } from '../answer/answer';
import { buildRequest } from '../request/request';
import { unchanged, withIncluded, type Job, type Service } from './job';

export async function item(
	{ send }: Service,
	operation: ItemOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const body = operation.body && values.body;
	const answer = succeeded(await send(buildRequest(operation, values, body)));
	if (isUnchanged(answer)) return unchanged(answer, values);
	return [withIncluded(recordOf(answer, operation.returns), values)];
}
