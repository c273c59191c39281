// Operations on one record: each item is one request, and its response is one object, or nothing. An upload sends a
// file, streamed as multipart form data.
import type { IDataObject } from 'n8n-workflow';

import { dataOf, standInOf } from '../answer/answerData';
import {
	isDocumented,
	type EmptyOperation,
	type ScalarField,
	type SingleOperation,
	type UploadOperation,
} from '../area';
import { isObject } from '../http/json';
import { findFile } from '../request/binaryFile';
import { Multipart } from '../request/multipart';
import { buildRequest } from '../request/request';
import { decoded } from '../values/address';
import { maxHeavyRequests, outputOf, type Kind } from './job';
import { repeatedRecords } from './repeatedNames';

/** Beside one page of a list that was read as one object. */
const onePageHint =
	"The response is one page of a list ('totalRows'): use 'Get Many' to read all of its rows.";

export const single: Kind<SingleOperation | UploadOperation | EmptyOperation> = {
	maxParallel: Infinity,

	async run({ send, operation, jobs, hint, settle, beforeSending }) {
		const { itemIndex, values, file } = jobs[0]!;
		const { partName, additionalFields } = values.settings;
		const form = file && new Multipart(partName, file, additionalFields);
		const body = form ?? values.body;
		const request = buildRequest(operation, values, { body, beforeSending });
		const answer = await send(request).finally(() => form?.closeFile());
		const standIn = standInOf(answer, hint);
		const data = standIn ?? dataOf<IDataObject>(answer, hint);
		if (!isDocumented(operation) && isObject(data) && 'totalRows' in data) hint(onePageHint);
		settle(itemIndex, [outputOf(values, data)]);
	},
};

/**
 * Changes the record that its IDs, and its fields with isName, identify. An operation that creates a record below it
 * answers with an ID of its own; where the API spec does not show the operation, any POST may be one.
 */
export const empty: Kind<EmptyOperation> = {
	...single,

	findRepeated(operation, jobs) {
		const { ids = [], body = [] } = operation;
		const naming = [...ids, ...(body as ScalarField[]).filter(({ isName }) => isName)];
		const named = jobs.map(({ itemIndex, values: { path, body: sent } }) => {
			const names = naming.flatMap(({ name }) => (path[name] ?? sent?.[name] ?? []) as string | []);
			return [itemIndex, decoded(names.join(', '))] as const;
		});
		const changesRecord = isDocumented(operation) || /^(?:PUT|PATCH|DELETE) /.test(operation.route);
		const namesRecord = naming.length > 0 && changesRecord;
		return repeatedRecords(namesRecord ? named : [], naming.map(({ label }) => label).join(', '));
	},
};

export const upload: typeof single = {
	...single,
	maxParallel: maxHeavyRequests,

	/** The file must be there before anything is sent. */
	async prepare(ctx, job, inputHints) {
		const found = await findFile(ctx, job.values.settings.inputDataFieldName, job.itemIndex);
		if ('text' in found) return found;
		job.file = found;
		inputHints.otherFiles = found.others;
		if (found.size === 0) inputHints.emptyFiles = [found.name];
		return undefined;
	},
};
