// Operation + one item's values → a request. Pure: no n8n, no network.
import type { IDataObject } from 'n8n-workflow';

import type { Method, Operation } from '../area';
import { maxAnswerBytes, maxRecordBytes } from '../http/bodyText';
import type { Multipart } from './multipart';
import type { ItemValues } from '../values/item';

export interface RetryLimits {
	/** How often a request is sent at most. */
	maxTries: number;
	/** Milliseconds a request waits at most, all its waits together. */
	maxWait: number;
}

export interface ServiceRequest {
	method: Method;
	/** Path below the credential's Base URL, each value encoded. */
	path: string;
	query: IDataObject;
	headers: Record<string, string>;
	body?: IDataObject | IDataObject[] | Multipart;
	/** Milliseconds the service may take. */
	timeout: number;
	/** Bytes that its answer may have. */
	maxAnswerBytes: number;
	limits: RetryLimits;
}

/** Kinds whose answer holds many records. */
const kindsOfManyRecords: ReadonlyArray<Operation['kind']> = ['list', 'bulk'];

/** Seconds of a setting as milliseconds, as long as a timer can be. */
const milliseconds = (seconds: number): number => Math.min(seconds * 1000, 2 ** 31 - 1);

/**
 * Builds the request of an operation.
 * Headers follow the interface's header profiles: profile A requires a Content-Type also without a body.
 * Multipart form data brings its own Content-Type, with the boundary.
 * @param values one item's checked values; in bulk, of any item of the batch
 * @param body what travels; left out for operations without a body
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
		timeout: milliseconds(settings.timeout),
		maxAnswerBytes: kindsOfManyRecords.includes(operation.kind) ? maxAnswerBytes : maxRecordBytes,
		limits: { maxTries: settings.maxTries, maxWait: milliseconds(settings.maxWait) },
	};
}
