// Operations on one record: each item is one request, and its answer is one object, or nothing.
import { parseData } from '../answer/answerData';
import type { EmptyOperation, ItemOperation, UploadOperation } from '../area';
import { maxRecordBytes } from '../http/bodyText';
import { buildRequest, type ServiceRequest } from '../request/request';
import { eachAlone, notModified, successIn, withIncluded, type Kind, type Task } from './job';

/** Sends the only job of a task with this body, and settles it. */
export async function sendRecord(
	{ send, operation, jobs, ...task }: Task<ItemOperation | UploadOperation | EmptyOperation>,
	body: ServiceRequest['body'],
): Promise<void> {
	const { itemIndex, values } = jobs[0]!;
	const { beforeSending, hint, settle } = task;
	const sent = { body, maxAnswerBytes: maxRecordBytes, beforeSending };
	const answer = await send(buildRequest(operation, values, sent));
	const success = successIn(answer, values);
	const result = success && withIncluded(parseData(success, operation, hint), values);
	settle(itemIndex, [result ?? notModified(values)]);
}

export const record: Kind<ItemOperation | EmptyOperation> = {
	maxParallel: Infinity,
	group: eachAlone,
	send: (task) => sendRecord(task, task.operation.body && task.jobs[0]!.values.body),
};
