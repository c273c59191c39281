// The service's answer → its data.
import type { IDataObject } from 'n8n-workflow';

import type { Returned } from '../area';
import { isObject, parseJson } from '../http/json';
import type { Answer } from '../send/attempt';
import { proofs, saysNo } from './evidence';
import { refusal, refuseWebPage, saidNo, unreadable, type Accepted } from './failures';

/** Whether the record is unchanged since the version that was sent (304). */
export const isUnchanged = ({ status }: Answer): boolean => status === 304;

/**
 * The answer, if it is a success whose body came whole, or a 304.
 * @param accepted what the status alone says of a write
 * @throws Failure for any other
 */
export function succeeded(answer: Answer, accepted?: Accepted): Answer {
	if (isUnchanged(answer)) return answer;
	if (answer.status < 200 || answer.status >= 300) throw refusal(answer);
	if (answer.cut) throw unreadable(answer, undefined, accepted);
	return answer;
}

/**
 * @returns undefined for a body that is not JSON
 * @throws Failure for a web page, and for an object that says no in spite of its status
 */
function bodyOf(answer: Answer): unknown {
	refuseWebPage(answer);
	const body = parseJson(answer.text);
	if (isObject(body) && saysNo(body)) throw saidNo(answer, body);
	return body;
}

/** @throws Failure when the body is not a JSON object, or says no */
export function objectOf(answer: Answer): IDataObject {
	const body = bodyOf(answer);
	if (isObject(body)) return body as IDataObject;
	throw unreadable(answer, 'a JSON object');
}

/**
 * @param returned what the interface says the object holds
 * @throws Failure when the body is not an object that holds it
 */
export function recordOf(answer: Answer, { name, type }: Returned): IDataObject {
	const record = objectOf(answer);
	const { is, words } = proofs[type];
	if (is(record[name])) return record;
	throw unreadable(answer, `'${name}', ${words}`);
}

/**
 * @param key of the list in the answer; without it the answer is the list itself
 * @param accepted what the status alone says of a write
 * @throws Failure when there is no list
 */
export function listOf(answer: Answer, key?: string, accepted?: Accepted): unknown[] {
	const body = bodyOf(answer);
	const list = key !== undefined && isObject(body) ? body[key] : body;
	if (Array.isArray(list)) return list;
	const expected = key === undefined ? 'a JSON list' : `the list '${key}'`;
	throw unreadable(answer, expected, accepted);
}

/**
 * What an answer says where the interface shows no body; undefined if nothing.
 * @throws Failure when it is neither blank nor a JSON object: then something else spoke, or broke
 */
export function saidOf(answer: Answer): IDataObject | undefined {
	const body = bodyOf(answer);
	if (isObject(body)) return Object.keys(body).length > 0 ? (body as IDataObject) : undefined;
	if (answer.text.trim() === '') return undefined;
	throw unreadable(answer, 'nothing, or a JSON object', 'unknown');
}
