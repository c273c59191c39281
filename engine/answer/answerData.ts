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
} from '../http/json';
import { failureReportedIn, isProof, isYes } from './bodyEvidence';
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
	find(body: unknown, normalizer: Normalizer, answer: Answer): Data | undefined;
	/** Its name in messages. */
	name: string;
	/** The data in a few words, for a message. */
	summary?(data: Data): string;
}

/**
 * What a response has to hold so that none of its values is read as another one, and so that it is about the whole file:
 * PHP drops one that is larger than its limit, and the program goes on without it.
 * @returns undefined when it does
 */
function expectedFirstOf(answer: Answer, body: unknown): string | undefined {
	const { isNotUtf8, operation, sentBytes } = answer;
	if (isNotUtf8) return 'text in UTF-8';
	const size = operation.kind === 'upload' && getIgnoringCase(body, operation.sizeField);
	if (sentBytes !== undefined && /^\d+$/.test(String(size)) && Number(size) !== sentBytes)
		return `a file of ${sentBytes} bytes, as was sent, not ${String(size)}`;
	const numbers = `numbers up to ${Number.MAX_SAFE_INTEGER}, since larger ones lose digits`;
	return holdsLostDigits(body) ? numbers : undefined;
}

const hasBlankBody = ({ text: body }: Answer): boolean => body.trim() === '';

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
		summary({ [name]: value }) {
			return isObject(value) ? name : `${name} ${String(value as string | number)}`;
		},
	};
}

/**
 * What a response holds for which the API spec shows no body: an object with the ID that proves the success, or else any.
 * Where that is nothing, what the operation's table says; a record that is read is nothing only by "No Content". With a
 * status that the API spec does not name, and that is not "No Content", nothing proves nothing, and an object only by
 * `success` or one of the request's IDs.
 */
const nothingOf = (operation: EmptyOperation): Content<IDataObject> => ({
	find(body, _, answer) {
		const { output, idField, ids = [], successStatus = answer.status } = operation;
		// A record that is read may be in an object of the response.
		const parts = isRead(answer) ? [body, ...Object.values((body ?? {}) as IDataObject)] : [body];
		const has = (name: string) =>
			parts.some((part) => isProof(getIgnoringCase(part, name), text(name)));
		if (idField !== undefined && !has(idField)) return undefined;
		if (body === true) return { ...output };
		const isNamed = [successStatus, 204].includes(answer.status);
		if (!isNamed && !isYes(getIgnoringCase(body, 'success')) && !ids.some(({ name }) => has(name)))
			return undefined;
		if (isMissing(answer) && answer.status !== 204) return undefined;
		if (isEmpty(body) || hasBlankBody(answer)) return { ...output };
		return isObject(body) ? (body as IDataObject) : undefined;
	},
	name: operation.idField
		? `'${operation.idField}'`
		: operation.successStatus
			? `status ${operation.successStatus} with nothing or a JSON object, or one that says 'success'`
			: 'a JSON object',
});

const reportsOf = ({ resultsKey, statusField }: BulkOperation): Content<unknown[]> => ({
	find(body, normalizer) {
		const reports = normalizer.listOf(body, resultsKey, [text('path'), integer(statusField)]);
		return Array.isArray(reports) ? reports : undefined;
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
export const isCount = (value: unknown): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0;

const pageContentOf = ({ rowsKey, columns }: ListOperation): Content<Page> => ({
	find(body, normalizer, answer) {
		const { deviations } = normalizer;
		if (hasBlankBody(answer) && answer.status !== 204) return undefined;
		const totalRows = normalizer.valueOf(body, integer('totalRows')) ?? undefined;
		if (totalRows !== undefined && !isCount(totalRows)) return undefined;
		// An empty body is a list without rows, and not a list without its object.
		const isNothing = hasBlankBody(answer) || isEmpty(body);
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

/** What the body of a success shows: its data, if it holds them, in what they differ from the API spec, and the evidence. */
function contentIn(answer: Answer, operation: Operation) {
	const content = contentOf(operation);
	const { text: sent, redact } = answer;
	const { body, otherText } = answer.cut || isWebPage(sent) ? {} : parseJsonBesideText(sent);
	const reportedFailure = failureReportedIn(body, answer, operation, otherText);
	const normalizer = new Normalizer();
	const expectedFirst = expectedFirstOf(answer, body);
	const data =
		reportedFailure || expectedFirst ? undefined : content.find(body, normalizer, answer);
	const evidence = {
		...answer,
		reportedFailure,
		found: data === undefined ? undefined : (content.summary?.(data) ?? ''),
		expected: expectedFirst ?? content.name,
		otherText: otherText && redact(otherText),
	};
	return { data, deviations: normalizer.deviations, evidence };
}

/**
 * Takes the data out of a response. It gives a hint for each deviation.
 * @throws Failure when the response does not prove a success
 */
function parse<Data>(answer: Answer, operation: Operation, hint: Hint): Data {
	standInOf(answer);
	const { data, deviations, evidence } = contentIn(answer, operation);
	if (judge(evidence).outcome !== 'sent') throw failureOf(evidence);
	// That there are no rows may be what the status says.
	const { successStatus = answer.status } = operation;
	if (answer.status !== successStatus && !deviations.has('noRows')) deviations.add('otherForm');
	if (evidence.otherText !== undefined) deviations.add('otherText');
	if (!isDocumented(operation)) deviations.delete('otherForm');
	for (const deviation of deviations) hint(deviationHints[deviation]);
	return data as Data;
}

/** What the response to one item gives: the record, its ID, or what stands for a response without data. */
export const parseData = parse<IDataObject>;

/** The reports on the paths of a bulk patch. */
export const parseReports = parse<unknown[]>;

export const parsePage = parse<Page>;

/** Whether a response leaves a write in doubt, whatever an earlier try of it has left. */
export function putsInDoubt(tried: Evidence): boolean {
	const { operation, status = 0, text: sent = '' } = tried;
	// The usual case, which is not parsed twice.
	const isUsual = status === operation.successStatus && sent.startsWith('{"');
	if (isUsual && operation.kind !== 'bulk') return false;
	const answer = { ...tried, status, text: sent, tries: 1, redact: String };
	const evidence = isSuccess(tried) ? contentIn(answer, operation).evidence : tried;
	return !isRead(tried) && outcomeOf({ ...evidence, inDoubt: false }) === 'inDoubt';
}
