// What the table of rules.ts judges by: how far a request got, and what its response holds.
import type { Method, Operation } from '../area';
import type { RefusalVerdict } from '../auth/knownTokens';
import type { BodyText } from '../http/bodyText';
import type { GatewayAnswer } from '../http/gatewayAnswer';

/** What is known of how far one try of a request got. */
export interface TryEvidence extends Partial<BodyText> {
	operation: Operation;
	method: Method;
	/** Whether a byte of the request may have left this machine. */
	maybeSent: boolean;
	/** HTTP status of the response; undefined when none came. */
	status?: number;
	/** Set when the gateway in front of the service responded in its place. */
	gateway?: GatewayAnswer;
	/** Milliseconds the service asks to wait; undefined when it asks for no wait. */
	retryAfter?: number;
	/** Whether an earlier try of the same request may have been processed. */
	inDoubt?: boolean;
	/** What a 401 means. */
	verdict?: RefusalVerdict;
}

/** What was found in the body of a response, or in a report on one path. */
export interface BodyEvidence {
	/** The version of the record that the request named, if it named one. */
	etag?: string;
	/** Set where it is not the response that is judged, but its report on a path of a bulk patch. */
	path?: string;
	/** The body says that the request failed; `definitely` if nothing can have been changed. */
	reportedFailure?: 'definitely' | 'maybe';
	/** The expected data in a few words, which may be none; undefined when the response does not hold it. */
	found?: string;
	/** What should be in the response, for a message. */
	expected?: string;
	/** The text next to the JSON. */
	otherText?: string;
}

export type Evidence = Readonly<TryEvidence & BodyEvidence>;

/** A response. */
export interface Answer extends Readonly<TryEvidence> {
	readonly status: number;
	readonly text: string;
	/** How often the request was sent, or was tried to be sent. */
	readonly tries: number;
	/** Takes the credential's secrets out of a message of the service. Its data is passed on as it is. */
	readonly redact: (words: string) => string;
}

/**
 * What is expected of a response: the `record` that was created, or its ID; `nothing`, or an object that the API spec
 * does not show; `reports` on each path of a bulk patch, each of them on one `path`; what a `read` asked for.
 */
export type Expected = 'record' | 'nothing' | 'reports' | 'path' | 'read';

const expectedByKind: Readonly<Record<Operation['kind'], Expected>> = {
	single: 'record',
	upload: 'record',
	empty: 'nothing',
	bulk: 'reports',
	list: 'read',
};

export function expectedOf({ operation, method, path }: Evidence): Expected {
	if (method === 'GET') return 'read';
	return path === undefined ? expectedByKind[operation.kind] : 'path';
}
