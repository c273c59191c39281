// Operations whose successful answer has no body, or one that the interface does not show. When no body comes, the
// output is a fixed object that says what was done.
import type { IDataObject } from 'n8n-workflow';

import type { EmptyOperation } from '../area';
import { Failure, adviceLookUp } from '../failure';
import { isNotModified, answerOrNothing, requireSuccess } from '../answer/answerData';
import type { Answer } from '../send/sendTypes';
import { buildRequest } from '../request/request';
import { notModifiedResults, withIncluded, type Job, type JobServices } from './job';

const unexpectedStatusFailure = ({ status, tries }: Answer, success: number) =>
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
	// A body that broke off may be the beginning of a refusal, so such an answer leaves the item in doubt.
	const answer = requireSuccess(await send(buildRequest(operation, values, body)), 'unknown');
	if (isNotModified(answer)) return notModifiedResults(answer, values);
	const answerBody = answerOrNothing(answer);
	if (answer.status !== operation.successStatus)
		throw unexpectedStatusFailure(answer, operation.successStatus);
	return [withIncluded(answerBody ?? { ...operation.output }, values)];
}
