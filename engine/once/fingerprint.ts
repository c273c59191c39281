// The fingerprint of an item: a digest of the data that the service gets for it. It reveals that a key now belongs to
// another row, or that a row has got another key.
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import { parameterName } from '../form/labels';
import { isObject } from '../http/json';
import { requestOf, type Job } from '../kinds/job';

/** A date and time with its offset (RFC 3339), which has several notations. */
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** An expression with a part that differs in each execution. */
const changing =
	/^=.*(?:\$(?:now|today|execution)\b|\bDate\.now\(|new Date\(\)|DateTime\.(?:now|local|utc)\([){]|\brandom\w*\()/s;

/** The fields whose expressions, as the node's parameters have them, give another value in each execution. */
export function changingFields(parameters: IDataObject): ReadonlySet<string> {
	const fields = new Set<string>();
	JSON.stringify(parameters, (name, value: unknown) => {
		// One expression for the whole record does not show which of its fields change.
		if (typeof value === 'string' && changing.test(value))
			fields.add(name === 'json' ? 'body' : name);
		return value;
	});
	return fields;
}

/**
 * @param leftOut the fields that do not count
 * @returns the same digest for each notation of the item's values; of a file, its name and size count
 */
export function fingerprintOf(
	operation: Operation,
	job: Job,
	leftOut: ReadonlySet<string>,
): string {
	const { path, body } = requestOf(operation, job);
	const { name, size } = job.file ?? {};
	const sent = JSON.stringify({ path, body, name, size }, (field, value: unknown) => {
		if (leftOut.has(parameterName(field))) return undefined;
		if (typeof value === 'string' && instant.test(value)) return Date.parse(value);
		return isObject(value)
			? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
			: value;
	});
	return createHash('sha256').update(sent).digest('base64');
}
