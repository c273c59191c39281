// The service's answer → its data.
import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../http/json';
import type { Answer } from '../send/attempt';
import { refusal, refuseWebPage, unreadable } from './failures';

/** Whether the record is unchanged since the version that was sent (304). */
export const isUnchanged = ({ status }: Answer): boolean => status === 304;

/**
 * The answer, if it is a success whose body came whole, or a 304.
 * @throws Failure for any other
 */
export function succeeded(answer: Answer): Answer {
	if (isUnchanged(answer)) return answer;
	if (answer.status < 200 || answer.status >= 300) throw refusal(answer);
	if (answer.cut) throw unreadable(answer);
	return answer;
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
