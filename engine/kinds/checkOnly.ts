// 'Check Only': items are read and checked as if they were to be sent; then the output shows the request of each.
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import type { Ledger } from '../items/ledger';
import { addressOf } from '../request/request';
import { isEmpty } from '../http/json';
import { outputOf, type Job } from './job';

/** The content that would be sent for one item; for a bulk patch, its part of the body. */
function requestOf(operation: Operation, { values, file }: Job): IDataObject {
	const { path, body, settings } = values;
	const address = addressOf(operation, path);
	if (!file) return { ...address, ...(body && { body }) };
	const { name, type, size } = file;
	const { partName, additionalFields: fields } = settings;
	const others = isEmpty(fields) ? {} : { fields };
	return { ...address, file: { partName, name, type, size }, ...others };
}

/** Enters the items that are only checked in the ledger. @returns the jobs of the others */
export const jobsToSend = (
	jobs: readonly Job[],
	operation: Operation,
	{ items }: Ledger,
): readonly Job[] =>
	jobs.filter((job) => {
		const { itemIndex, values } = job;
		if (!values.settings.checkOnly) return true;
		items[itemIndex]!.checked = outputOf(values, { wouldSend: requestOf(operation, job) });
		return false;
	});
