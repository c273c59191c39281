// Operations whose success has no body: the output says in a word what was done.
import type { IDataObject } from 'n8n-workflow';

import type { EmptyOperation } from '../area';
import { isUnchanged, refuseWebPage } from '../http/answer';
import { buildRequest } from '../request';
import { unchanged, type Job, type Service } from './job';

export async function empty(
	{ send }: Service,
	operation: EmptyOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const body = operation.body && values.body;
	const answer = await send(buildRequest(operation, values, body));
	if (isUnchanged(answer)) return [unchanged];
	refuseWebPage(answer);
	return [{ ...operation.output }];
}
