// Takes the data out of the service's response, or throws the failure that says why there is none. What an operation
// expects is described here, one description for each kind of data; answerPolicy.ts judges what came.
import type { IDataObject } from 'n8n-workflow';

import {
	integer,
	text,
	type BulkOperation,
	type EmptyOperation,
	type ListOperation,
	type Operation,
	type SingleOperation,
	type UploadOperation,
} from '../area';
import { isServiceError } from '../http/gatewayAnswer';
import {
	getIgnoringCase,
	holdsLostDigits,
	isObject,
	isWebPage,
	parseJsonBesideText,
} from '../http/json';
import type { Answer } from '../send/try';
import { statusFailure } from './answerFailures';
import { deviationHints, failureIn, type AnswerKind } from './answerPolicy';
import { failureReportedIn, isProof, proofInWords } from './bodyEvidence';
import { Normalizer } from './normalize';

/**
 * @param etag the version of the record that the request named, if it named one
 * @returns the response, if its status is a success; undefined if the record is unchanged since that version (304)
 * @throws Failure for any other status
 */
export function successIn(answer: Answer, etag?: string): Answer | undefined {
	const { status } = answer;
	if (status >= 200 && status < 300) return answer;
	if (status === 304 && etag) return undefined;
	throw statusFailure(answer);
}

/**
 * Whether a DELETE met no record when it was repeated because an earlier try may have been processed. That try may have
 * deleted the record (RFC 9110 §9.2.2), or there never was one. What stands in front of the service knows nothing of
 * records, so a 404 counts only where the service itself says so.
 */
export const hasMetNoRecord = ({ method, status, inDoubt, text: body }: Answer): boolean =>
	method === 'DELETE' && status === 404 && inDoubt === true && isServiceError(body);

/** What the response to an operation is expected to hold. */
interface Expected<Data> {
	kind: AnswerKind;
	/** @returns the normalized data; undefined when the body does not hold it */
	find: (body: unknown, normalizer: Normalizer, answer: Answer) => Data | undefined;
	/** For a message. */
	inWords: (body: unknown) => string;
	/** The data in a few words, for a message. */
	summary?: (data: Data) => string;
}

/** What a response has to hold so that none of its values is read as another one; undefined when it does. */
function expectedToBeExact({ isNotUtf8 }: Answer, body: unknown): string | undefined {
	if (isNotUtf8) return 'text in UTF-8';
	const numbers = `numbers up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
	return holdsLostDigits(body) ? numbers : undefined;
}

/**
 * Makes the function that takes the data of one kind of operation out of a response. It gives a hint for each
 * deviation, and throws a Failure when the response does not prove a success.
 */
const parser =
	<AnyOperation extends Operation, Data>(expectedOf: (operation: AnyOperation) => Expected<Data>) =>
	(answer: Answer, operation: AnyOperation, hint: (message: string) => void): Data => {
		successIn(answer);
		const { kind, find, inWords, summary } = expectedOf(operation);
		const { text: sent, redact } = answer;
		const { body, otherText } = answer.cut || isWebPage(sent) ? {} : parseJsonBesideText(sent);
		const reportedFailure = failureReportedIn(body, kind, otherText);
		const normalizer = new Normalizer();
		const expectedFirst = expectedToBeExact(answer, body);
		const data = reportedFailure || expectedFirst ? undefined : find(body, normalizer, answer);
		const failure = failureIn(kind, {
			...answer,
			reportedFailure,
			found: data && (summary?.(data) ?? ''),
			expected: expectedFirst ?? inWords(body),
			otherText: otherText && redact(otherText),
		});
		if (data === undefined || failure) throw failure!;
		const { deviations } = normalizer;
		// That there are no rows may be what the status says.
		if (answer.status !== operation.successStatus && !deviations.has('noRows'))
			deviations.add('otherStatus');
		if (otherText !== undefined) deviations.add('otherText');
		for (const deviation of deviations) hint(deviationHints[deviation]);
		return data;
	};

const isBlank = ({ text: body }: Answer): boolean => body.trim() === '';

/** Null, an empty object or an empty list. */
const isEmpty = (value: unknown): boolean =>
	typeof value === 'object' && (value === null || Object.keys(value).length === 0);

/** The record, or the ID of a created one. */
function recordOf(operation: SingleOperation | UploadOperation): Expected<IDataObject> {
	const { returns } = operation;
	const { name, type } = returns;
	const otherFields = operation.kind === 'upload' ? operation.alsoReturns : [];
	return {
		kind: 'record',
		find(body, normalizer) {
			if (!isObject(body) || !isProof(getIgnoringCase(body, name), returns)) return undefined;
			return normalizer.object(body, [returns, ...otherFields]) as IDataObject;
		},
		inWords: (body) => (isObject(body) ? `'${name}', ${proofInWords[type]}` : 'a JSON object'),
		summary({ [name]: value }) {
			return isObject(value) ? name : `${name} ${String(value as string | number)}`;
		},
	};
}

/** What a response holds for which the API spec shows no body; where that is nothing, what the operation's table says. */
const nothingOf = ({ output }: EmptyOperation): Expected<IDataObject> => ({
	kind: 'nothing',
	find(body, { deviations }, answer) {
		if (isObject(body)) return (isEmpty(body) ? { ...output } : body) as IDataObject;
		if (body === true || isEmpty(body)) deviations.add('emptyForNothing');
		else if (!isBlank(answer)) return undefined;
		return { ...output };
	},
	inWords: () => 'nothing, or a JSON object',
});

/** What the response to one item gives: the record, its ID, or what stands for a response without data. */
export const parseData = parser(
	(operation: SingleOperation | UploadOperation | EmptyOperation): Expected<IDataObject> =>
		operation.kind === 'empty' ? nothingOf(operation) : recordOf(operation),
);

/** The reports on the paths of a bulk patch. */
export const parseReports = parser(
	({ resultsKey, statusField }: BulkOperation): Expected<unknown[]> => ({
		kind: 'reports',
		find(body, normalizer) {
			const reports = normalizer.listOf(body, resultsKey, [text('path'), integer(statusField)]);
			return Array.isArray(reports) ? reports : undefined;
		},
		inWords: () => (resultsKey === undefined ? 'a JSON list' : `the list '${resultsKey}'`),
	}),
);

/** A page of a list. */
export interface Page {
	rows: IDataObject[];
	/** Undefined when the service gives no count. */
	totalRows?: number;
}

/** Whether a value is a whole number from 0 up. */
export const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0;

export const parsePage = parser(
	({ rowsKey, columns }: ListOperation): Expected<Page> => ({
		kind: 'read',
		find(body, normalizer, answer) {
			const { deviations } = normalizer;
			if (isBlank(answer) && answer.status !== 204) return undefined;
			const totalRows = normalizer.valueOf(body, integer('totalRows')) ?? undefined;
			if (totalRows !== undefined && !isCount(totalRows)) return undefined;
			// An empty body is a list without rows, and not a list without its object.
			const isNothing = isBlank(answer) || isEmpty(body);
			const rows = isNothing ? undefined : normalizer.listOf(body, rowsKey, columns);
			if (Array.isArray(rows)) {
				if (totalRows === undefined && rows.length > 0) deviations.add('noCount');
				return rows.every(isObject) ? { rows: rows as IDataObject[], totalRows } : undefined;
			}
			// A list that is missing means no rows only if the service counts none, or has sent nothing else.
			if (rows === undefined ? totalRows !== 0 && !isNothing : !isEmpty(rows)) return undefined;
			deviations.add('noRows');
			return { rows: [], totalRows };
		},
		inWords: (body) => (isObject(body) ? `'totalRows' and the list '${rowsKey}'` : 'a JSON object'),
	}),
);
