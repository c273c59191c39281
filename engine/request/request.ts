// Builds a request from an operation and the values of one item. Pure: no n8n, no network.
import type { IDataObject } from 'n8n-workflow';

import type { Method, Operation } from '../area';
import type { Content, Evidence } from '../response/evidence';
import type { ItemValues } from '../values/item';
import { Multipart } from './multipart';

export interface RetryLimits {
	/** Maximum tries of a request. */
	maxTries: number;
	/** Maximum milliseconds that the run may be held up without a success. */
	maxWait: number;
}

export interface ServiceRequest extends Pick<Evidence, 'method' | 'operation' | 'content'> {
	/** Path below the credential's Base URL. It may hold a query; a path that the user wrote is sent as it is. */
	path: string;
	query: IDataObject;
	headers: Record<string, string>;
	body?: IDataObject | IDataObject[] | Multipart;
	/** Milliseconds the service may take. */
	timeout: number;
	limits: RetryLimits;
	/** Called right before each try; throws if the request may not be sent any more. */
	beforeSending?: () => Promise<void>;
}

/** The method and path of a request, with its IDs in the path. */
export function addressOf({ route }: Operation, ids: ItemValues['path']) {
	const [method, template] = route.split(' ') as [Method, string];
	const path = template.replace(/\{(\+?)(\w+)\}/g, (_, asIs: string, name: string) =>
		asIs ? String(ids[name]) : encodeURIComponent(ids[name]!),
	);
	return { method, path };
}

/**
 * Builds an operation's request. Its headers follow the API spec's header profiles: profile A requires a Content-Type
 * even without a body. Multipart form data brings its own Content-Type, with the boundary.
 * @param values the checked values of one item; in bulk, of any item of the batch
 * @param content the required content of its response
 * @param others the body, if the request has one, and the check before each try
 */
export function buildRequest(
	operation: Operation,
	{ path: ids, query, settings }: Pick<ItemValues, 'path' | 'settings'> & { query: IDataObject },
	content: Content,
	others: Partial<Pick<ServiceRequest, 'body' | 'beforeSending'>> = {},
): ServiceRequest {
	const { body } = others;
	const { method, path } = addressOf(operation, ids);
	const isJson = body ? !(body instanceof Multipart) : operation.headerProfile === 'A';
	return {
		method,
		path,
		query,
		headers: {
			...(isJson && { 'Content-Type': 'application/json' }),
			// A cache may return an old record, or pages of a list that do not belong together.
			...(method === 'GET' && { 'Cache-Control': 'no-cache' }),
			...(settings.etag !== undefined && { ETag: settings.etag }),
		},
		timeout: settings.timeout * 1000,
		limits: { maxTries: settings.maxTries, maxWait: settings.maxWait * 1000 },
		operation,
		content,
		...others,
	};
}
