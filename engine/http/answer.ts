// The service's answer → its data, or the failure the user reads. Source: the interface's Errors part.
import type { IDataObject } from 'n8n-workflow';

import type { Method } from '../area';
import { mayExist, Failure, type Outcome } from '../failure';
import { isObject, isWebPage, parseJson, type JsonObject } from './json';

export interface Answer {
	method: Method;
	status: number;
	/** The body as it came. */
	text: string;
}

const checkBaseUrl = "Check 'Base URL' in the credential.";

/** The service's own words, from the body shapes the interface lists, else the body's beginning. */
function wordsOf(text: string): { lines: string[]; kind: 'fields' | 'permissions' | 'text' } {
	const body = parseJson(text);
	const errors = isObject(body) ? body.errors : undefined;
	if (isObject(errors) && Array.isArray(errors.validationErrors)) {
		const lines = (errors.validationErrors as Array<JsonObject | null>).map(
			(entry) => `${String(entry?.field)}: ${String(entry?.message)}`,
		);
		return { lines, kind: 'fields' };
	}
	if (isObject(errors) && Array.isArray(errors.permissionErrors)) {
		return { lines: errors.permissionErrors.map(String), kind: 'permissions' };
	}
	if (typeof errors === 'string') return { lines: [errors], kind: 'text' };
	if (isWebPage(text)) return { lines: ['(a web page)'], kind: 'text' };
	const short = text.trim().slice(0, 500);
	return { lines: short ? [short] : [], kind: 'text' };
}

/** Which statuses leave it open whether a write happened: the server's side failed, or gave up waiting. */
const outcomeOf = (status: number): Outcome =>
	status >= 500 || status === 408 ? 'unknown' : 'refused';

function refusal({ status, text }: Answer): Failure {
	const { lines, kind } = wordsOf(text);
	const outcome = outcomeOf(status);
	const said = lines.length > 0 ? `: ${lines.join('; ')}` : '';
	const description = kind === 'text' ? undefined : lines.join('\n');
	if (kind === 'fields') {
		return new Failure(`The service refused the values${said}`, outcome, { status, description });
	}
	if (status === 401) {
		return new Failure(`Sign-in refused${said}`, outcome, {
			status,
			description:
				"The service did not accept a freshly obtained token. Check 'Authorization Header' and 'Subscription Key' in the credential.",
		});
	}
	if (kind === 'permissions' || status === 403) {
		return new Failure(`The account is not permitted to do this${said}`, outcome, {
			status,
			description,
		});
	}
	if (status >= 300 && status < 400) {
		return new Failure(
			`The service answered with a redirect (status ${status}), which is never followed`,
			outcome,
			{ status, description: checkBaseUrl },
		);
	}
	return new Failure(`The service answered with status ${status}${said}`, outcome, {
		status,
		description: outcome === 'unknown' ? mayExist : undefined,
	});
}

/** @throws Failure when a proxy or a wrong address answered in the service's place */
function refuseWebPage({ method, status, text }: Answer): void {
	if (!isWebPage(text)) return;
	const isRead = method === 'GET';
	throw new Failure(
		'The service answered with a web page instead of data',
		isRead ? 'refused' : 'unknown',
		{ status, description: isRead ? checkBaseUrl : `${checkBaseUrl} ${mayExist}` },
	);
}

/** A body that should hold data and does not: after a write, the record exists all the same. */
export function unreadable({ method, status, text }: Answer, expected: string): Failure {
	const fault = text.trim() === '' ? 'is empty' : 'is not what it should be';
	const message = `The service answered with status ${status}, but the answer ${fault}: expected ${expected}`;
	return method === 'GET'
		? new Failure(message, 'refused', { status })
		: new Failure(message, 'done', {
				status,
				description:
					'The service accepted the request: look the record up before sending it again.',
			});
}

/**
 * @returns whether the record is unchanged since the version that was sent (304)
 * @throws Failure unless the status is a success or 304
 */
export function isUnchanged(answer: Answer): boolean {
	if (answer.status === 304) return true;
	if (answer.status < 200 || answer.status >= 300) throw refusal(answer);
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
