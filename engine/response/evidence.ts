// What a try is judged by: how far a request got, and what its response holds.
import type { Method, Operation } from '../area';
import type { RefusalVerdict } from '../auth/token';
import type { BodyText } from '../http/bodyText';
import type { GatewayResponse } from '../http/gatewayResponse';
import { isEmpty, isWebPage, jsonIn } from '../http/json';
import type { Deviation, Normalizer } from './normalize';

/**
 * What is expected of a response: the `record` that was created, or its ID; `nothing`, or an object that the API spec
 * does not show; `reports` on each path of a bulk patch, each of them on one `path`; what a `read` asked for.
 */
export type Expected = 'record' | 'nothing' | 'reports' | 'path' | 'read';

/** The content that the response to a request has to have. Each kind of operation says its own. */
export interface Content<Data = unknown> {
	readonly expected: Expected;
	/** Its name in messages. */
	readonly name: string;
	/** The field of its ID or its list, where a person has named one. */
	readonly field?: string;
	/** What to do where the service refuses values with these messages, if that is more than to correct them. */
	adviceOnRefusal?(this: void, messages: readonly string[]): string | undefined;
	/** @returns the normalized data; undefined when the body does not hold it */
	find: (body: unknown, normalizer: Normalizer, response: ServiceResponse) => Data | undefined;
}

/** What is known of a try beside its response. */
interface Asked {
	readonly operation: Operation;
	readonly method: Method;
	readonly content: Content;
	/** The version of the record that the request named, if it named one. */
	readonly etag?: string;
	/** Whether a byte of the request may have left this machine. */
	readonly maybeSent: boolean;
	/** Whether an earlier try of the same request may have been processed. */
	readonly inDoubt?: boolean;
	/** Milliseconds the service asks to wait; undefined when it asks for no wait. */
	readonly retryAfter?: number;
	/** What a 401 means. */
	readonly verdict?: RefusalVerdict;
}

/** What was found in the body of a success, or reported on a path. */
export interface Found {
	/** The body says that the request failed; `definitely` if nothing can have been changed. */
	readonly reportedFailure?: 'definitely' | 'maybe';
	/** The expected data, normalized; undefined when the response does not hold it. */
	readonly data?: unknown;
	/** In what the body differs from the API spec. */
	readonly deviations?: ReadonlySet<Deviation>;
	/** What should be in the response, for a message. */
	readonly expected?: string;
	/** The text next to the JSON. */
	readonly otherText?: string;
}

/** A response. What one reports on a path of a bulk patch is judged as if it were the response to a PATCH of that path. */
export interface ServiceResponse extends Asked, Readonly<BodyText> {
	readonly status: number;
	/** Set when the gateway in front of the service responded in its place. */
	readonly gateway?: GatewayResponse;
	/** Whether the response asks for a password. */
	readonly asksForPassword?: boolean;
	/** The size of the file that was sent. */
	readonly sentBytes?: number;
	/** Of a success, once its body was read. */
	readonly found?: Found;
	/** The path that it reports on; undefined for the response itself. */
	readonly path?: string;
}

/** No response came, so there is nothing of one. */
type NoResponse = Asked & {
	readonly [Name in Exclude<keyof ServiceResponse, keyof Asked>]?: undefined;
};

/** How far one try of a request got, and what its response holds. */
export type Evidence = NoResponse | ServiceResponse;

/** The response to a request that is not sent again. */
export interface FinalResponse extends ServiceResponse {
	/** How often the request was sent, or was tried to be sent. */
	readonly tries: number;
	/** Gives the beginning of a text of the response, without the credential's secrets. Its data is passed on as it is. */
	readonly quote: (text: string) => string;
}

/** The reports in the response to a bulk patch, by the paths that they are on; each path is judged like a response. */
export type PathReports = ReadonlyMap<string, ServiceResponse>;

export const expectedOf = ({ method, content }: Evidence): Expected =>
	method === 'GET' ? 'read' : content.expected;

type WithStatus = Pick<ServiceResponse, 'status'>;
type WithText = Pick<ServiceResponse, 'text'>;

const between =
	(low: number, high: number, ...others: number[]) =>
	({ status }: WithStatus): boolean =>
		(status >= low && status <= high) || others.includes(status);

const read = (evidence: Evidence): boolean => expectedOf(evidence) === 'read';
const blank = ({ text }: WithText): boolean => text.trim() === '';

/** What may be asked of a response; the first two are made of statuses. */
export const is = {
	/** @param others statuses that count, too */
	between,
	oneOf:
		(...statuses: number[]) =>
		({ status }: WithStatus): boolean =>
			statuses.includes(status),
	success: between(200, 299),
	read,
	/** Without a body. */
	blank,
	page: ({ text }: WithText): boolean => isWebPage(text),
	/** Whether a record was read, and the whole body is null, an empty object or list, or blank. */
	missing: (response: ServiceResponse): boolean =>
		read(response) &&
		response.content.expected !== 'read' &&
		(blank(response) || isEmpty(jsonIn(response.text))),
};
