// Builds a request from an operation and the values of one item. Pure: no n8n, no network.
import type { IDataObject } from 'n8n-workflow';

import type { Method, Operation } from '../area';
import { maxAnswerBytes, maxRecordBytes } from '../http/bodyText';
import type { Multipart } from './multipart';
import type { ItemValues } from '../values/item';

export interface RetryLimits {
	/** Most tries of a request. */
	maxTries: number;
	/** Most milliseconds that a request waits, all its waits together. */
	maxWait: number;
}

export interface ServiceRequest {
	method: Method;
	/** Path below the credential's Base URL, with each value encoded. */
	path: string;
	query: IDataObject;
	headers: Record<string, string>;
	body?: IDataObject | IDataObject[] | Multipart;
	/** Milliseconds the service may take. */
	timeout: number;
	/** Most bytes that the answer may have. */
	maxAnswerBytes: number;
	limits: RetryLimits;
	/** Called right before each try; throws when the request may not be sent any more. */
	beforeSending?: () => Promise<void>;
}

/** The kinds of operations whose answers hold many records. */
const kindsOfManyRecords: ReadonlyArray<Operation['kind']> = ['list', 'bulk'];

/** Converts the seconds of a setting to milliseconds, at most the longest time that a timer of Node.js can have. */
const timerMilliseconds = (seconds: number): number => Math.min(seconds * 1000, 2 ** 31 - 1);

/**
 * Builds the request of an operation. Its headers follow the interface's header profiles: profile A requires a
 * Content-Type even without a body. Multipart form data brings its own Content-Type, with the boundary.
 * @param values the checked values of one item; in bulk, those of any item of the batch
 * @param body the body to send; undefined for operations without one
 */
export function buildRequest(
	operation: Operation,
	{ path: ids, query, settings }: Pick<ItemValues, 'path' | 'settings'> & { query: IDataObject },
	body?: ServiceRequest['body'],
): ServiceRequest {
	const [method, template] = operation.request.split(' ') as [Method, string];
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!));
	const needsContentType = operation.headerProfile === 'A' || body !== undefined;
	return {
		method,
		path,
		query,
		headers: {
			...(needsContentType &&
				operation.kind !== 'upload' && { 'Content-Type': 'application/json' }),
			...(settings.etag !== undefined && { ETag: settings.etag }),
		},
		body,
		timeout: timerMilliseconds(settings.timeout),
		maxAnswerBytes: kindsOfManyRecords.includes(operation.kind) ? maxAnswerBytes : maxRecordBytes,
		limits: { maxTries: settings.maxTries, maxWait: timerMilliseconds(settings.maxWait) },
	};
}
