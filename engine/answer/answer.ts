// The service's answer → its data.
import type { IDataObject } from 'n8n-workflow';

import type { ReturnedField } from '../area';
import { isObject, parseJson } from '../http/json';
import type { Answer } from '../send/sendTypes';
import { proofByType, saysNo } from './evidence';
import {
	refusedByStatus,
	refuseWebPage,
	refusedByBody,
	unreadableAnswer,
	type AcceptedOutcome,
} from './failures';

/** Whether the record is unchanged since the version that was sent (304). */
export const isNotModified = ({ status }: Answer): boolean => status === 304;

/**
 * The answer, if it is a success whose body came whole, or a 304.
 * @param accepted what the status alone says of a write
 * @throws Failure for any other
 */
export function requireSuccess(answer: Answer, accepted?: AcceptedOutcome): Answer {
	if (isNotModified(answer)) return answer;
	if (answer.status < 200 || answer.status >= 300) throw refusedByStatus(answer);
	if (answer.cut) throw unreadableAnswer(answer, undefined, accepted);
	return answer;
}

/**
 * @returns undefined for a body that is not JSON
 * @throws Failure for a web page, and for an object that says no in spite of its status
 */
function answerBody(answer: Answer): unknown {
	refuseWebPage(answer);
	const body = parseJson(answer.text);
	if (isObject(body) && saysNo(body)) throw refusedByBody(answer, body);
	return body;
}

/** @throws Failure when the body is not a JSON object, or says no */
export function answerObject(answer: Answer): IDataObject {
	const body = answerBody(answer);
	if (isObject(body)) return body as IDataObject;
	throw unreadableAnswer(answer, 'a JSON object');
}

/**
 * @param returned what the interface says the object holds
 * @throws Failure when the body is not an object that holds it
 */
export function answerRecord(answer: Answer, { name, type }: ReturnedField): IDataObject {
	const record = answerObject(answer);
	const { is, words } = proofByType[type];
	if (is(record[name])) return record;
	throw unreadableAnswer(answer, `'${name}', ${words}`);
}

/**
 * @param key of the list in the answer; without it the answer is the list itself
 * @param accepted what the status alone says of a write
 * @throws Failure when there is no list
 */
export function answerList(answer: Answer, key?: string, accepted?: AcceptedOutcome): unknown[] {
	const body = answerBody(answer);
	const list = key !== undefined && isObject(body) ? body[key] : body;
	if (Array.isArray(list)) return list;
	const expected = key === undefined ? 'a JSON list' : `the list '${key}'`;
	throw unreadableAnswer(answer, expected, accepted);
}

/**
 * What an answer says where the interface shows no body; undefined if nothing.
 * @throws Failure when it is neither blank nor a JSON object: then something else spoke, or broke
 */
export function answerOrNothing(answer: Answer): IDataObject | undefined {
	const body = answerBody(answer);
	if (isObject(body)) return Object.keys(body).length > 0 ? (body as IDataObject) : undefined;
	if (answer.text.trim() === '') return undefined;
	throw unreadableAnswer(answer, 'nothing, or a JSON object', 'unknown');
}
