// Takes the data out of the service's answer, or throws the failure that says why there is none.
import type { IDataObject } from 'n8n-workflow';

import type { ReturnedField } from '../area';
import { isObject, parseJson } from '../http/json';
import type { Answer } from '../send/sendTypes';
import { proofByType, saysNo } from './bodyEvidence';
import {
	refusedByStatus,
	refuseWebPage,
	refusedByBody,
	unreadableAnswer,
	type AcceptedOutcome,
} from './answerFailures';

/** Whether the record is unchanged since the version that the request named in its ETag (304). */
export const isNotModified = ({ status }: Answer): boolean => status === 304;

/**
 * @param accepted the outcome that a failure names for a write whose status is a success
 * @returns the answer, if it is a success with its whole body, or a 304
 * @throws Failure for any other answer
 */
export function requireSuccess(answer: Answer, accepted?: AcceptedOutcome): Answer {
	if (isNotModified(answer)) return answer;
	if (answer.status < 200 || answer.status >= 300) throw refusedByStatus(answer);
	if (answer.cut) throw unreadableAnswer(answer, undefined, accepted);
	return answer;
}

/**
 * @returns undefined for a body that is not JSON
 * @throws Failure for a web page, and for an object that says that the request failed in spite of its status
 */
function answerBody(answer: Answer): unknown {
	refuseWebPage(answer);
	const body = parseJson(answer.text);
	if (isObject(body) && saysNo(body)) throw refusedByBody(answer, body);
	return body;
}

/** @throws Failure when the body is not a JSON object, or says that the request failed */
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
	const { proves, inWords } = proofByType[type];
	if (proves(record[name])) return record;
	throw unreadableAnswer(answer, `'${name}', ${inWords}`);
}

/**
 * @param key the field that holds the list; undefined when the whole body is the list
 * @param accepted the outcome that a failure names for a write whose status is a success
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
 * The data of an answer for which the interface shows no body.
 * @returns undefined when there is no data
 * @throws Failure when the body is neither blank nor a JSON object: something else has answered, or the answer is
 * damaged
 */
export function answerOrNothing(answer: Answer): IDataObject | undefined {
	const body = answerBody(answer);
	if (isObject(body)) return Object.keys(body).length > 0 ? (body as IDataObject) : undefined;
	if (answer.text.trim() === '') return undefined;
	throw unreadableAnswer(answer, 'nothing, or a JSON object', 'unknown');
}
