// Operations on one record: each item is one request, whose response is one object or empty. An upload streams a file
// as multipart form data.
import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../response/responseData';
import { isProof, isYes } from '../response/bodyEvidence';
import { is, type Content } from '../response/evidence';
import { isDocumented, type EmptyOperation, type Operation, type SingleOperation } from '../area';
import { getIgnoringCase, isEmpty, isObject, type JsonObject } from '../http/json';
import { findFile } from '../request/binaryFile';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import { decoded } from '../values/address';
import { maxHeavyRequests, outputOf, type Kind } from './job';
import { repeatedRecords } from './repeatedNames';

/** The hint for a list's page that was read as one object. */
const onePageHint =
	"The response is one page of a list ('totalRows'): 'Get Many' reads all of its rows.";

/** Expects the record, or the ID of a created record. */
function recordContentOf(operation: SingleOperation): Content<IDataObject> {
	const { returns, alsoReturns = [] } = operation;
	return {
		expected: 'record',
		name: `'${returns.name}'`,
		find(body, normalizer) {
			const value = getIgnoringCase(body, returns.name);
			if (!isObject(body) || !isProof(value, returns.type)) return undefined;
			return normalizer.object(body, [returns, ...alsoReturns]) as IDataObject;
		},
	};
}

/**
 * Describes a response whose body the API spec does not show. If the item names an ID field, the body must have that
 * ID; otherwise any object will do. An empty body becomes the output from the operation's table; for a read, it needs
 * status 204 (No Content). If the API spec names a status, any other one (except 204) needs `success` or one of the
 * request's IDs as proof.
 */
const emptyContentOf: Kind<EmptyOperation>['contentOf'] = (operation, { idField }) => ({
	expected: 'nothing',
	field: idField,
	name: idField
		? `'${idField}'`
		: operation.successStatus
			? `status ${operation.successStatus} with nothing or a JSON object, or one that says 'success'`
			: 'a JSON object',
	find(body, _, response) {
		const { status } = response;
		const { output, ids = [], successStatus = status } = operation;
		// A response to a read may wrap the record in an object.
		const parts = [body, ...(is.read(response) ? Object.values((body ?? {}) as JsonObject) : [])];
		const isId = (value: unknown) => isProof(value, 'text');
		const has = (name: string) => parts.some((part) => isId(getIgnoringCase(part, name)));
		if (idField !== undefined && !has(idField)) return undefined;
		if (body === true) return { ...output };
		const isNamed = [successStatus, 204].includes(status);
		if (!isNamed && !isYes(getIgnoringCase(body, 'success')) && !ids.some(({ name }) => has(name)))
			return undefined;
		if (is.missing(response) && status !== 204) return undefined;
		if (isEmpty(body) || is.blank(response)) return { ...output };
		return isObject(body) ? (body as IDataObject) : undefined;
	},
});

/** @param contentOf describes a successful response to one item */
const oneByOne = <AnyOperation extends Operation>(
	contentOf: Kind<AnyOperation>['contentOf'],
): Kind<AnyOperation> => ({
	contentOf,
	maxParallel: Infinity,

	async run({ send, operation, jobs, hint, settle, beforeSending }) {
		const { itemIndex, values, file } = jobs[0]!;
		const { partName, additionalFields } = values.settings;
		const form = file && new Multipart(partName, file, additionalFields);
		const body = form ?? values.body;
		const content = contentOf(operation, values.settings);
		const request = buildRequest(operation, values, content, { body, beforeSending });
		const sending = send(request);
		const response = await (form ? sending.finally(() => form.closeFile()) : sending);
		const data = dataOf<IDataObject>(response, hint);
		if (!isDocumented(operation) && isObject(data) && 'totalRows' in data) hint(onePageHint);
		settle(itemIndex, [outputOf(values, data)]);
	},
});

export const single = oneByOne(recordContentOf);

/**
 * Changes the record that the IDs and the fields with `identifiesRecord` identify. Two such items in one run are a
 * problem, except for undocumented POST requests: each may create a record of its own below that record.
 */
export const empty: Kind<EmptyOperation> = {
	...oneByOne(emptyContentOf),

	findRepeated(operation, jobs) {
		const { ids = [], body = [] } = operation;
		const naming = [...ids, ...body.filter((field) => 'identifiesRecord' in field)];
		const named = jobs.map(({ itemIndex, values: { path, body: sent } }) => {
			const names = naming.flatMap(({ name }) => (path[name] ?? sent?.[name] ?? []) as string | []);
			return [itemIndex, decoded(names.join(', '))] as const;
		});
		const changesRecord = isDocumented(operation) || /^(?:PUT|PATCH|DELETE) /.test(operation.route);
		const namesRecord = naming.length > 0 && changesRecord;
		const labels = naming.map(({ label }) => label).join(', ');
		return repeatedRecords(namesRecord ? named : [], labels, operation.repeatedRule);
	},
};

export const upload: typeof single = {
	...single,
	maxParallel: maxHeavyRequests,

	/** Finds the file, since a missing one must be known before anything is sent. */
	async prepare(ctx, job) {
		const found = await findFile(ctx, job.values.settings.inputDataFieldName, job.itemIndex);
		if ('text' in found) return found;
		job.file = found;
		job.inputHints.otherFiles = [...found.others];
		if (found.size === 0) job.inputHints.emptyFiles = [found.name];
		return undefined;
	},
};
