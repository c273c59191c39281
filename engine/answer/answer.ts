// The service's answer → its data, or the failure the user reads. Source: the interface's Errors part.
import type { IDataObject } from 'n8n-workflow';

import { Failure, laterAgain, mayExist } from '../failure';
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import type { Answer } from '../send/attempt';
import { isRetryable, outcomeOf } from '../send/policy';

const checkBaseUrl = "Check 'Base URL' in the credential.";

interface Words {
	lines: string[];
	kind: 'fields' | 'permissions' | 'text';
}

/** Of a body with errors without end. */
const mostLines = 100;

/** Anything the service may put where a text is due. */
const textOf = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const lineOf = (entry: unknown): string =>
	isObject(entry) && 'field' in entry && 'message' in entry
		? `${textOf(entry.field)}: ${textOf(entry.message)}`
		: textOf(entry);

/** The service's own words, from the body shapes the interface lists, else the body's beginning. */
function wordsOf(text: string): Words {
	const body = parseJson(text);
	const errors = isObject(body) ? body.errors : undefined;
	const say = (kind: Words['kind'], lines: unknown[]): Words => ({
		kind,
		lines: lines.slice(0, mostLines).map((line) => shortened(lineOf(line))),
	});
	if (isObject(errors) && Array.isArray(errors.validationErrors)) {
		return say('fields', errors.validationErrors);
	}
	if (isObject(errors) && Array.isArray(errors.permissionErrors)) {
		return say('permissions', errors.permissionErrors);
	}
	if (typeof errors === 'string') return say('text', [errors]);
	if (isWebPage(text)) return say('text', ['(a web page)']);
	return say('text', text.trim() === '' ? [] : [text.trim()]);
}

/** What to do about a status; the first that fits counts. */
const adviceByStatus: ReadonlyArray<[is: (status: number) => boolean, advice: string]> = [
	[(status) => status === 400, 'Correct the values named above, then run this item again.'],
	[
		(status) => status === 401,
		"The service did not accept a freshly obtained token. Check 'Authorization Header' and 'Subscription Key' in the credential.",
	],
	[
		(status) => status === 403,
		"Ask the service's owner to permit it, or use the credential of another account.",
	],
	[(status) => status === 404, `Check the IDs of this item. ${checkBaseUrl}`],
	[
		(status) => status === 409,
		'It conflicts with what the service already holds: look the record up, correct this item, then run it again.',
	],
	[(status) => status < 400, checkBaseUrl],
];

function messageOf(status: number, kind: Words['kind'], said: string): string {
	if (kind === 'fields') return `The service refused the values${said}`;
	if (status === 401) return `Sign-in refused${said}`;
	if (kind === 'permissions' || status === 403) {
		return `The account is not permitted to do this${said}`;
	}
	if (status >= 300 && status < 400) {
		return `The service answered with a redirect (status ${status}), which is never followed`;
	}
	return `The service answered with status ${status}${said}`;
}

function refusal({ method, status, reached, text, tries }: Answer): Failure {
	const { lines, kind } = wordsOf(text);
	const outcome = outcomeOf(method, reached);
	const retryable = isRetryable(method, reached);
	const ofStatus = adviceByStatus.find(([is]) => is(status))?.[1];
	return new Failure(
		messageOf(status, kind, lines.length > 0 ? `: ${lines.join('; ')}` : ''),
		outcome,
		{
			status,
			said: lines,
			advice: outcome === 'unknown' ? mayExist : retryable ? laterAgain : ofStatus,
			retryable,
			tries,
		},
	);
}

/** @throws Failure when a proxy or a wrong address answered in the service's place */
function refuseWebPage({ method, status, text, tries }: Answer): void {
	if (!isWebPage(text)) return;
	const isRead = method === 'GET';
	throw new Failure(
		'The service answered with a web page instead of data',
		isRead ? 'refused' : 'unknown',
		{ status, tries, advice: isRead ? checkBaseUrl : `${checkBaseUrl} ${mayExist}` },
	);
}

const faultOf = ({ text, cut }: Answer): string => {
	if (cut === 'tooLarge') return 'is larger than 32 MB';
	if (cut === 'brokenOff') return 'broke off';
	return text.trim() === '' ? 'is empty' : 'is not what it should be';
};

/** A body that should hold data and does not: after a write, the record exists all the same. */
export function unreadable(answer: Answer, expected?: string): Failure {
	const { method, status, reached, cut, tries } = answer;
	const message = `The service answered with status ${status}, but the answer ${faultOf(answer)}${expected ? `: expected ${expected}` : ''}`;
	const isRead = method === 'GET';
	const advice =
		cut === 'tooLarge' && isRead
			? "Ask for less at once: lower 'Page Size', or add filters."
			: isRead
				? laterAgain
				: 'The service accepted the request: look the record up before sending it again.';
	return new Failure(message, outcomeOf(method, reached), {
		status,
		tries,
		advice,
		retryable: isRead && cut === 'brokenOff',
	});
}

/**
 * @returns whether the record is unchanged since the version that was sent (304)
 * @throws Failure unless the status is 304, or a success whose body came whole
 */
export function isUnchanged(answer: Answer): boolean {
	if (answer.status === 304) return true;
	if (answer.status < 200 || answer.status >= 300) throw refusal(answer);
	if (answer.cut) throw unreadable(answer);
	return false;
}

/** @throws Failure when the body is not a JSON object */
export function objectOf(answer: Answer): IDataObject {
	refuseWebPage(answer);
	const body = parseJson(answer.text);
	if (isObject(body)) return body as IDataObject;
	throw unreadable(answer, 'a JSON object');
}

/**
 * @param key what the interface says the object holds
 * @throws Failure when the body is not an object with that key
 */
export function recordOf(answer: Answer, key: string): IDataObject {
	const record = objectOf(answer);
	if (record[key] === undefined || record[key] === null) throw unreadable(answer, `'${key}'`);
	return record;
}

/**
 * @param key of the list in the answer; without it the answer is the list itself
 * @throws Failure when there is no list
 */
export function listOf(answer: Answer, key?: string): unknown[] {
	refuseWebPage(answer);
	const body = parseJson(answer.text);
	const list = key !== undefined && isObject(body) ? body[key] : body;
	if (Array.isArray(list)) return list;
	throw unreadable(answer, key === undefined ? 'a JSON list' : `the list '${key}'`);
}

/**
 * What an answer says where the interface shows no body; undefined if nothing.
 * @throws Failure when it is a web page
 */
export function saidOf(answer: Answer): IDataObject | undefined {
	refuseWebPage(answer);
	const body = parseJson(answer.text);
	return isObject(body) && Object.keys(body).length > 0 ? (body as IDataObject) : undefined;
}
