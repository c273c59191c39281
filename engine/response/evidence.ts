// The evidence that a try is judged by: how far its request got, and what its response holds.
import type { Method, Operation } from '../area';
import type { MeaningOf401 } from '../auth/token';
import type { BodyText } from '../http/bodyText';
import type { GatewayResponse } from '../http/gatewayResponse';
import { isEmpty, isWebPage, jsonIn } from '../http/json';
import type { Deviation, Normalizer } from './normalize';

/**
 * What a response is expected to hold: the `record` that was created, or its ID; `nothing`, or an object that the API
 * spec does not show; `reports` on the paths of a bulk patch; the report on one `path`; or what a `read` asked for.
 */
export type Expected = 'record' | 'nothing' | 'reports' | 'path' | 'read';

/** The content that a request's response must have. Each kind of operation defines its own. */
export interface Content<Data = unknown> {
	readonly expected: Expected;
	/** Its name in messages. */
	readonly name: string;
	/** The field with its ID or its list, if the user named one. */
	readonly field?: string;
	/** The advice if the service refuses values with these messages; undefined if it is only to correct them. */
	adviceOnRefusal?(this: void, messages: readonly string[]): string | undefined;
	/** @returns the normalized data; undefined if the body does not hold it */
	find: (body: unknown, normalizer: Normalizer, response: ServiceResponse) => Data | undefined;
}

/** What is known of a try apart from its response. */
interface TryContext {
	readonly operation: Operation;
	readonly method: Method;
	readonly content: Content;
	/** The record version in the request, if there was one. */
	readonly etag?: string;
	/** Whether any byte of the request may have left this machine. */
	readonly maybeSent: boolean;
	/** Whether an earlier try of the same request may have been processed. */
	readonly inDoubt?: boolean;
	/** Milliseconds the service asks to wait; undefined if it asks for no wait. */
	readonly retryAfter?: number;
	readonly meaningOf401?: MeaningOf401;
}

/** The findings in the body of a success, or in the report on a path. */
export interface Found {
	/** Set if the body reports a failure; `definitely` if nothing can have been changed. */
	readonly reportedFailure?: 'definitely' | 'maybe';
	/** The expected data, normalized; undefined if the response does not hold it. */
	readonly data?: unknown;
	/** How the body differs from the API spec. */
	readonly deviations?: ReadonlySet<Deviation>;
	/** The expected data in words, for a message. */
	readonly expected?: string;
	/** The text around the JSON. */
	readonly otherText?: string;
}

/** A response. A report on one path of a bulk patch is judged as if it were the response to a PATCH of that path. */
export interface ServiceResponse extends TryContext, Readonly<BodyText> {
	readonly status: number;
	/** Set if the gateway in front of the service responded in its place. */
	readonly gateway?: GatewayResponse;
	/** Whether the response asks for a password. */
	readonly asksForPassword?: boolean;
	/** The size of the file that was sent. */
	readonly sentBytes?: number;
	/** The findings in the body of a success, once it was parsed. */
	readonly found?: Found;
	/** The path of a report; undefined for the response itself. */
	readonly path?: string;
}

/** A try without a response, and so without any of its fields. */
type NoResponse = TryContext & {
	readonly [Name in Exclude<keyof ServiceResponse, keyof TryContext>]?: undefined;
};

/** How far one try of a request got, and what its response holds. */
export type Evidence = NoResponse | ServiceResponse;

export const expectedOf = ({ method, content }: Evidence): Expected =>
	method === 'GET' ? 'read' : content.expected;

const tooLarge =
	/\b(?:body|content(?:-length)?|entity|file|payload|post|request|upload)\b.{0,80}\b(?:too (?:big|large)|limit\b.{0,40}\bexceed|exceed.{0,40}\b(?:content|limit|size))/i;

type WithStatus = Pick<ServiceResponse, 'status'>;

const between =
	(low: number, high: number, ...others: number[]) =>
	({ status }: WithStatus): boolean =>
		(status >= low && status <= high) || others.includes(status);

/** Conditions on a response; the first two make conditions on its status. */
export const is = {
	/** @param others statuses that match, too */
	between,
	oneOf:
		(...statuses: number[]) =>
		({ status }: WithStatus): boolean =>
			statuses.includes(status),
	success: between(200, 299),
	read: (evidence: Evidence): boolean => expectedOf(evidence) === 'read',
	/** Whether there is no body. */
	blank: ({ text }: ServiceResponse): boolean => text.trim() === '',
	page: ({ text }: ServiceResponse): boolean => isWebPage(text),
	/** Whether the request is too large, as programs say it that do not return 413: ASP.NET, IIS, PHP. */
	tooLarge: (text: string): boolean => tooLarge.test(text.slice(0, 20_000)),
	/** Whether a record was requested and the whole body is null, an empty object or list, or blank. */
	missing: (response: ServiceResponse): boolean =>
		is.read(response) &&
		response.content.expected !== 'read' &&
		(is.blank(response) || isEmpty(jsonIn(response.text))),
};
