// Takes the data out of the service's response, or throws the failure that says why there is none. What an operation
// expects is described here, one description for each kind of data; judge.ts judges what came.
import type { IDataObject } from 'n8n-workflow';

import {
	integer,
	isDocumented,
	text,
	type BulkOperation,
	type EmptyOperation,
	type ListOperation,
	type Operation,
	type SingleOperation,
	type UploadOperation,
} from '../area';
import {
	getIgnoringCase,
	holdsLostDigits,
	isEmpty,
	isObject,
	isWebPage,
	parseJsonBesideText,
	type JsonObject,
} from '../http/json';
import { evidenceOfPath, failureReportedIn, isProof, isYes } from './bodyEvidence';
import type { Answer, Evidence } from './evidence';
import { failureOf, judge, outcomeOf } from './judge';
import { deviationHints, Normalizer } from './normalize';
import { isMissing, isRead, isSuccess, type StandIn } from './rules';

/** Tells a person something beside the output. */
type Hint = (message: string) => void;

/**
 * @returns what stands for the data of a response that is a success without it; undefined for a response with data
 * @throws Failure for a response whose status is no success
 */
export function standInOf(answer: Answer, hint?: Hint): StandIn | undefined {
	if (isSuccess(answer)) return undefined;
	const { standIn, hint: message } = judge(answer).rule;
	if (!standIn) throw failureOf(answer);
	if (message !== undefined) hint?.(message);
	return standIn;
}

/** The content of the response to an operation. */
interface Content<Data> {
	/** @returns the normalized data; undefined when the body does not hold it */
	find(body: unknown, normalizer: Normalizer, evidence: Evidence): Data | undefined;
	/** Its name in messages. */
	name: string;
}

/**
 * What a response has to hold so that none of its values is read as another one, and so that it is about the whole file:
 * PHP drops one that is larger than its limit, and the program goes on without it.
 * @returns undefined when it does
 */
function expectedFirstOf(evidence: Evidence, body: unknown): string | undefined {
	const { isNotUtf8, operation, sentBytes } = evidence;
	if (isNotUtf8) return 'text in UTF-8';
	const size = operation.kind === 'upload' && getIgnoringCase(body, operation.sizeField);
	if (sentBytes !== undefined && /^\d+$/.test(String(size)) && Number(size) !== sentBytes)
		return `a file of ${sentBytes} bytes, as was sent, not ${String(size)}`;
	const numbers = `numbers up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
	return holdsLostDigits(body) ? numbers : undefined;
}

const hasBlankBody = ({ text: body = '' }: Evidence): boolean => body.trim() === '';

/** The record, or the ID of a created one. */
function recordOf(operation: SingleOperation | UploadOperation): Content<IDataObject> {
	const { returns } = operation;
	const { name } = returns;
	const { alsoReturns = [] } = operation as Partial<UploadOperation>;
	return {
		find(body, normalizer) {
			if (!isObject(body) || !isProof(getIgnoringCase(body, name), returns)) return undefined;
			return normalizer.object(body, [returns, ...alsoReturns]) as IDataObject;
		},
		name: `'${name}'`,
	};
}

/**
 * What a response holds for which the API spec shows no body: an object with the ID that proves the success, or else any.
 * Where that is nothing, what the operation's table says; a record that is read is nothing only by "No Content". With a
 * status that the API spec does not name, and that is not "No Content", nothing proves nothing, and an object only by
 * `success` or one of the request's IDs.
 */
const nothingOf = (operation: EmptyOperation): Content<IDataObject> => ({
	find(body, _, evidence) {
		const { status = 0 } = evidence;
		const { output, idField, ids = [], successStatus = status } = operation;
		// A record that is read may be in an object of the response.
		const parts = isRead(evidence) ? [body, ...Object.values((body ?? {}) as IDataObject)] : [body];
		const has = (name: string) =>
			parts.some((part) => isProof(getIgnoringCase(part, name), text(name)));
		if (idField !== undefined && !has(idField)) return undefined;
		if (body === true) return { ...output };
		const isNamed = [successStatus, 204].includes(status);
		if (!isNamed && !isYes(getIgnoringCase(body, 'success')) && !ids.some(({ name }) => has(name)))
			return undefined;
		if (isMissing(evidence) && status !== 204) return undefined;
		if (isEmpty(body) || hasBlankBody(evidence)) return { ...output };
		return isObject(body) ? (body as IDataObject) : undefined;
	},
	name: operation.idField
		? `'${operation.idField}'`
		: operation.successStatus
			? `status ${operation.successStatus} with nothing or a JSON object, or one that says 'success'`
			: 'a JSON object',
});

const reportsOf = ({ resultsKey, statusField }: BulkOperation): Content<JsonObject[]> => ({
	find(body, normalizer) {
		const reports = normalizer.listOf(body, resultsKey, [text('path'), integer(statusField)]);
		return Array.isArray(reports) ? reports.filter(isObject) : undefined;
	},
	name: resultsKey === undefined ? 'a JSON list' : `the list '${resultsKey}'`,
});

/** A page of a list. */
export interface Page {
	rows: IDataObject[];
	/** Undefined when the service gives no count. */
	totalRows?: number;
}

/** Whether a value is a whole number from 0 up. */
const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0;

const pageContentOf = ({ rowsKey, columns }: ListOperation): Content<Page> => ({
	find(body, normalizer, evidence) {
		const { deviations } = normalizer;
		if (hasBlankBody(evidence) && evidence.status !== 204) return undefined;
		const totalRows = normalizer.valueOf(body, integer('totalRows')) ?? undefined;
		if (totalRows !== undefined && !isCount(totalRows)) return undefined;
		// An empty body is a list without rows, and not a list without its object.
		const isNothing = hasBlankBody(evidence) || isEmpty(body);
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
	name: `'totalRows' and the list '${rowsKey}'`,
});

function contentOf(operation: Operation): Content<unknown> {
	if (operation.kind === 'empty') return nothingOf(operation);
	if (operation.kind === 'bulk') return reportsOf(operation);
	return operation.kind === 'list' ? pageContentOf(operation) : recordOf(operation);
}

/**
 * Adds what the body of a success shows, unless that has been done: its data, if it holds them, in what they differ from
 * the API spec, and what makes them doubtful.
 */
export function withContent<Shown extends Evidence>(shown: Shown): Shown {
	const { operation, text: sent = '', cut } = shown;
	if (shown.deviations || !isSuccess(shown)) return shown;
	const { body, otherText } = cut || isWebPage(sent) ? {} : parseJsonBesideText(sent);
	const reportedFailure = failureReportedIn(body, shown, otherText);
	const normalizer = new Normalizer();
	const content = contentOf(operation);
	const expectedFirst = expectedFirstOf(shown, body);
	const data = reportedFailure || expectedFirst ? undefined : content.find(body, normalizer, shown);
	const expected = expectedFirst ?? content.name;
	const { deviations } = normalizer;
	return { ...shown, data, deviations, reportedFailure, expected, otherText };
}

/**
 * Takes the data out of a response: the record, its ID, or what stands for it; the reports on the paths of a bulk patch;
 * or a page of a list. It gives a hint for each deviation.
 * @throws Failure when the response does not prove a success
 */
export function dataOf<Data>(answer: Answer, hint: Hint): Data {
	standInOf(answer);
	const judged = withContent(answer);
	if (judge(judged).outcome !== 'sent') throw failureOf(judged);
	const { operation, status, otherText, data } = judged;
	const deviations = new Set(judged.deviations);
	// That there are no rows may be what the status says.
	const { successStatus = status } = operation;
	if (status !== successStatus && !deviations.has('noRows')) deviations.add('otherForm');
	if (otherText !== undefined) deviations.add('otherText');
	if (!isDocumented(operation)) deviations.delete('otherForm');
	for (const deviation of deviations) hint(deviationHints[deviation]);
	return data as Data;
}

/**
 * Whether a response leaves open what was done of a write, whatever an earlier try of it has left, and not for a fault of
 * that request alone, as a 500 may. A bulk patch is open if each report on its paths is, or none came.
 */
export function leavesOpen(evidence: Evidence): boolean {
	const { operation, data } = evidence;
	const reports = operation.kind === 'bulk' ? (data as JsonObject[] | undefined) : undefined;
	const parts = reports?.map((report) => evidenceOfPath(operation, '', [report])) ?? [evidence];
	return (
		!isRead(evidence) &&
		parts.every(
			(part) => part.status !== 500 && outcomeOf({ ...part, inDoubt: false }) === 'inDoubt',
		)
	);
}
