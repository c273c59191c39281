// Operations whose success has no body, or one that is not shown: the output says in a word what was done.
import type { IDataObject } from 'n8n-workflow';

import type { EmptyOperation } from '../area';
import { Failure, mayExist } from '../failure';
import { isUnchanged, saidOf, succeeded } from '../answer/answer';
import type { Answer } from '../send/attempt';
import { buildRequest } from '../request/request';
import { unchanged, withIncluded, type Job, type Service } from './job';

const notSuccess = ({ status, tries }: Answer, success: number) =>
	new Failure(
		`The service answered with status ${status}; ${success} would mean success`,
		'unknown',
		{ status, tries, advice: mayExist },
	);

export async function empty(
	{ send }: Service,
	operation: EmptyOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const body = operation.body && values.body;
	// A body that came in half may be half of a no.
	const answer = succeeded(await send(buildRequest(operation, values, body)), 'unknown');
	if (isUnchanged(answer)) return unchanged(answer, values);
	const said = saidOf(answer);
	if (answer.status !== operation.success) throw notSuccess(answer, operation.success);
	return [withIncluded(said ?? { ...operation.output }, values)];
}
