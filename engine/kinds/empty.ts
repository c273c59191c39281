// Operations whose success has no body, or one that is not shown: the output says in a word what was done.
import type { IDataObject } from 'n8n-workflow';

import type { EmptyOperation } from '../area';
import { Failure, adviceLookUp } from '../failure';
import { isNotModified, answerOrNothing, requireSuccess } from '../answer/answer';
import type { Answer } from '../send/sendTypes';
import { buildRequest } from '../request/request';
import { notModifiedResults, withIncluded, type Job, type JobServices } from './job';

const otherStatus = ({ status, tries }: Answer, success: number) =>
	new Failure(
		`The service answered with status ${status}, but only ${success} means success`,
		'unknown',
		{ status, tries, advice: adviceLookUp },
	);

export async function sendEmpty(
	{ send }: JobServices,
	operation: EmptyOperation,
	{ values }: Job,
): Promise<IDataObject[]> {
	const body = operation.body && values.body;
	// A body that came in half may be half of a no.
	const answer = requireSuccess(await send(buildRequest(operation, values, body)), 'unknown');
	if (isNotModified(answer)) return notModifiedResults(answer, values);
	const said = answerOrNothing(answer);
	if (answer.status !== operation.successStatus) throw otherStatus(answer, operation.successStatus);
	return [withIncluded(said ?? { ...operation.output }, values)];
}
