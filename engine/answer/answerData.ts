// Takes the data out of the service's answer, or throws the failure that says why there is none. What an answer means
// is for answerPolicy.ts to say.
import type { IDataObject } from 'n8n-workflow';

import {
	integer,
	text,
	type BulkOperation,
	type EmptyOperation,
	type ItemOperation,
	type ListOperation,
	type Operation,
	type UploadOperation,
} from '../area';
import {
	isObject,
	isWebPage,
	loneWrappedIn,
	parseJson,
	parseJsonBesideText,
	wrappedIn,
	type JsonObject,
} from '../http/json';
import type { Answer } from '../send/sendTypes';
import { refusedByStatus } from './answerFailures';
import { failureIn, tolerances, type AnswerContents } from './answerPolicy';
import {
	describedBy,
	holderOf,
	listOf,
	loneListIn,
	numberOf,
	valueIn,
	type Taken,
} from './asDescribed';
import { isCertainRefusal, isProof, proofInWords, saysNo } from './bodyEvidence';

/** Shows a hint beside the node's output. */
type Hint = (message: string) => void;

/** Whether the record is unchanged since the version that the request named in its ETag (304). */
export const isNotModified = ({ status }: Answer): boolean => status === 304;

/**
 * @returns the answer, if it is a success with its whole body, or a 304
 * @throws Failure for any other answer
 */
export function requireSuccess(answer: Answer, operation: Operation): Answer {
	if (isNotModified(answer)) return answer;
	const { status, cut } = answer;
	if (status < 200 || status >= 300) throw refusedByStatus(answer);
	const failure = cut && failureIn(answer, operation, { status, isCut: true });
	if (failure) throw failure;
	return answer;
}

const isBlank = ({ text: body }: Answer): boolean => body.trim() === '';

/** @returns the JSON of an answer, undefined if there is none; and the text beside it */
function bodyOf(answer: Answer): { body?: unknown; otherText?: string } {
	const body = parseJson(answer.text);
	if (body !== undefined || isBlank(answer)) return { body };
	return parseJsonBesideText(answer.text) ?? {};
}

/** Whether a body, or what it is wrapped around, says that the request failed. */
function noIn(body: unknown, { kind }: Operation, otherText?: string): AnswerContents['saysNo'] {
	if (kind === 'empty' && (loneWrappedIn(body) ?? body) === false) return 'perhaps';
	if (![body, ...wrappedIn(body)].some((part) => isObject(part) && saysNo(part))) return undefined;
	return otherText === undefined && isCertainRefusal(body as JsonObject) ? 'certainly' : 'perhaps';
}

/** How the answer to one kind of operation is read. */
interface AnswerReader<Data> {
	/** @returns what is due, with the names and types of its description; undefined when it is not in the body */
	find: (body: unknown, taken: Taken) => Data | undefined;
	/** What was expected, for a message. */
	expected: (body: unknown) => string;
	/** The data in a few words, for a message that tells them. */
	inWords?: (data: Data) => string;
}

/**
 * Reads an answer whose status is a success.
 * @throws Failure when the answer does not hold what is due, or says that the request failed
 */
function readAnswer<Data>(
	answer: Answer,
	operation: Operation,
	{ find, expected, inWords }: AnswerReader<Data>,
	hint: Hint,
): Data {
	const { status, isReadAsWindows1252, redact = (words) => words } = answer;
	const webPage = isWebPage(answer.text);
	const { body, otherText } = webPage ? {} : bodyOf(answer);
	const no = noIn(body, operation, otherText);
	const taken: Taken = new Set();
	const data = no ? undefined : find(body, taken);
	const contents = {
		status,
		isWebPage: webPage,
		saysNo: no,
		isDue: data !== undefined,
		dueInWords: data && inWords?.(data),
		expected: expected(body),
		otherText: otherText && redact(otherText),
	};
	const failure = failureIn(answer, operation, contents);
	if (data === undefined || failure) throw failure!;
	if (status !== operation.successStatus) taken.add('otherStatus');
	if (otherText !== undefined) taken.add('otherText');
	if (isReadAsWindows1252) taken.add('notUtf8');
	for (const tolerance of taken) hint(tolerances[tolerance]);
	return data;
}

/**
 * The record, or the ID of a created one.
 * @throws Failure when the answer does not prove that it is one
 */
export function recordIn(
	answer: Answer,
	operation: ItemOperation | UploadOperation,
	hint: Hint,
): IDataObject {
	const { returns } = operation;
	const fields = operation.kind === 'upload' ? [returns, ...operation.alsoReturns] : [returns];
	const reading: AnswerReader<JsonObject> = {
		find(body, taken) {
			const holder = holderOf(body, returns.name, taken);
			if (!holder || !isProof(valueIn(holder, returns.name, taken), returns)) return undefined;
			return describedBy(fields, taken)(holder);
		},
		expected: (body) =>
			isObject(body) ? `'${returns.name}', ${proofInWords[returns.type]}` : 'a JSON object',
		inWords(record) {
			const value = record[returns.name];
			return isObject(value) ? returns.name : `${returns.name} ${String(value)}`;
		},
	};
	return readAnswer(answer, operation, reading, hint) as IDataObject;
}

/** Null, an empty object or an empty list. */
const isEmpty = (value: unknown): boolean =>
	typeof value === 'object' && (value === null || Object.keys(value).length === 0);

/**
 * The data of an answer for which the interface shows no body; when there is none, what the operation's table says.
 * @throws Failure when the body is neither blank nor a JSON object: something else has answered, or the answer is
 * damaged
 */
function dataOrNothingIn(answer: Answer, operation: EmptyOperation, hint: Hint): IDataObject {
	const reading: AnswerReader<JsonObject> = {
		find(body, taken) {
			if (isBlank(answer)) return {};
			const wrapped = loneWrappedIn(body);
			const saysNothing = (value: unknown): boolean => value === true || isEmpty(value);
			if (wrapped !== undefined && saysNothing(wrapped)) taken.add('wrapped');
			else if (isObject(body)) return body;
			else if (!saysNothing(body)) return undefined;
			else taken.add('emptyForNothing');
			return {};
		},
		expected: () => 'nothing, or a JSON object',
	};
	const data = readAnswer(answer, operation, reading, hint) as IDataObject;
	return isEmpty(data) ? { ...operation.output } : data;
}

/**
 * What the answer to one item gives: the record, its ID, or what stands for an answer without data.
 * @throws Failure when the answer does not prove a success
 */
export const dataIn = (
	answer: Answer,
	operation: ItemOperation | UploadOperation | EmptyOperation,
	hint: Hint,
): IDataObject =>
	operation.kind === 'empty'
		? dataOrNothingIn(answer, operation, hint)
		: recordIn(answer, operation, hint);

/**
 * The reports on the paths of a bulk patch.
 * @throws Failure when there is no list of them
 */
export function reportsIn(answer: Answer, operation: BulkOperation, hint: Hint): unknown[] {
	const { resultsKey, statusField } = operation;
	const reading: AnswerReader<unknown[]> = {
		find(body, taken) {
			const holder = resultsKey === undefined ? undefined : holderOf(body, resultsKey, taken);
			const reports = holder
				? listOf(valueIn(holder, resultsKey!, taken), taken)
				: loneListIn(body, resultsKey === undefined, taken);
			const describe = describedBy([text('path'), integer(statusField)], taken);
			return reports?.map((report) => (isObject(report) ? describe(report) : report));
		},
		expected: () => (resultsKey === undefined ? 'a JSON list' : `the list '${resultsKey}'`),
	};
	return readAnswer(answer, operation, reading, hint);
}

/** A page of a list. */
export interface Page {
	rows: IDataObject[];
	/** Undefined when the service gives no count. */
	totalRows?: number;
}

/** Whether a value is a whole number from 0 up. */
export const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0;

/** @returns the count; undefined when there is none, null when something else stands in its place */
function countIn(body: unknown, taken: Taken): number | undefined | null {
	const holder = holderOf(body, 'totalRows', taken);
	const sent = holder && valueIn(holder, 'totalRows', taken);
	if (sent === undefined || sent === null) return undefined;
	const count = typeof sent === 'string' ? numberOf(sent, true) : sent;
	if (!isCount(count)) return null;
	if (count !== sent) taken.add('numbersAsText');
	return count;
}

/** @returns the rows as they were sent; undefined when there is no list */
function rowsIn(
	body: unknown,
	key: string,
	totalRows: number | undefined,
	taken: Taken,
): unknown[] | undefined {
	const holder = holderOf(body, key, taken);
	const sent = holder && valueIn(holder, key, taken);
	const saysNothingElse = !holder && isEmpty(body);
	if (!saysNothingElse) {
		const rows = holder ? listOf(sent, taken) : loneListIn(body, false, taken);
		if (rows) return rows;
	}
	// A list that is missing means no rows only if the service counts none, or has sent nothing else.
	if (!(holder ? isEmpty(sent) : totalRows === 0 || saysNothingElse)) return undefined;
	taken.add('noRows');
	return [];
}

/**
 * A page of a list.
 * @throws Failure when the answer is none
 */
export function pageIn(answer: Answer, operation: ListOperation, hint: Hint): Page {
	const { rowsKey, columns } = operation;
	const reading: AnswerReader<Page> = {
		find(body, taken) {
			if (isBlank(answer)) return answer.status === 204 ? { rows: [] } : undefined;
			const totalRows = countIn(body, taken);
			if (totalRows === null) return undefined;
			const rows = rowsIn(body, rowsKey, totalRows, taken);
			if (!rows?.every(isObject)) return undefined;
			if (totalRows === undefined && rows.length > 0) taken.add('noCount');
			return { rows: rows.map(describedBy(columns, taken)) as IDataObject[], totalRows };
		},
		expected: (body) =>
			isObject(body) ? `'totalRows' and the list '${rowsKey}'` : 'a JSON object',
	};
	return readAnswer(answer, operation, reading, hint);
}
