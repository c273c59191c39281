// The fingerprint of a row: a digest of what the service gets for it, and of the account's user. It shows that a key now
// belongs to another row, or that a row has got another key. Stored fingerprints are compared with those that later
// versions make: if one wrote a value differently, every row would look changed.
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import { entriesName, parameterName } from '../form/labels';
import { additionalFields } from '../form/settings';
import { isObject } from '../http/json';
import { requestOf, type Job } from '../kinds/job';
import { withSortedKeys } from '../kinds/list/rows';

/** A date and time with its offset (RFC 3339), which has several notations. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** The current time in an expression. */
export const clock =
	/\$(?:now|today)\b|\b(?:now|DateTime\.(?:local|utc))\s*\(\s*[){]|\b(?:new\s+)?Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()|\.diff(?:To)?Now\b/;

/** A random number in an expression. */
export const chance = /random\w*\s*\(/i;

/** Whether an expression has a part that differs in each run. */
const isChanging = (saved: unknown): boolean =>
	typeof saved === 'string' &&
	saved.startsWith('=') &&
	[clock, chance, /\$(?:execution|runIndex)\b/].some((part) => part.test(saved));

/** The form's fields whose values differ in each run and so are not compared; undefined if no values are. */
export type ChangingFields = ReadonlySet<string> | undefined;

/** Finds the fields, and the collections of fields, whose saved expressions give another value in each run. */
export function changingFields(parameters: IDataObject): ChangingFields {
	const { specifyFields, json, body, options, ...form } = parameters;
	if (isChanging(specifyFields === 'json' ? json : body)) return undefined;
	const names = new Set<string>();
	const collect = (name: string, saved: unknown): void => {
		if (isChanging(saved)) names.add(name);
		if (typeof saved !== 'object' || saved === null) return;
		const isList = Array.isArray(saved);
		for (const [inner, part] of Object.entries(saved))
			collect(isList || inner === entriesName ? name : inner, part);
	};
	if (specifyFields !== 'inputItem') collect('', form);
	const { name } = additionalFields;
	// One expression may give all options, such as a key with the day.
	const isOther = typeof options === 'string' && !options.includes(name);
	if (!isOther) collect(name, isObject(options) ? options[name] : options);
	return names;
}

/** The one form of values that the service takes as equal. */
function comparable(key: string, value: unknown): unknown {
	if (typeof value !== 'string') return withSortedKeys(key, value);
	const time = instant.test(value) ? new Date(value) : undefined;
	// JavaScript turns February 30 into March 2.
	const isOne = time && new Date(value.slice(0, 10)).getUTCDate() === Number(value.slice(8, 10));
	return isOne && time.getTime() ? time.toISOString() : value.normalize();
}

/**
 * @param username of the account: the same record may be missing for another one
 * @returns the same digest for each notation of the row's values; of a file, its name and size count. Undefined if there
 * are no values to compare.
 */
export function fingerprintOf(
	operation: Operation,
	job: Job,
	changing: ChangingFields,
	username: string,
): string | undefined {
	if (!changing) return undefined;
	const { path, body } = requestOf(operation, job);
	const { additionalFields: others } = job.values.settings;
	const { name, size } = job.file ?? {};
	// One expression for several fields does not show which of them change.
	const leftOut = Object.entries({ fields: body, [additionalFields.name]: others }).flatMap(
		([collection, given]) => (changing.has(collection) ? Object.keys(given ?? {}) : []),
	);
	const isLeftOut = (field: string): boolean =>
		changing.has(parameterName(field)) || leftOut.includes(field);
	const content = JSON.stringify(body ?? others, (field, value: unknown) =>
		isLeftOut(field) ? undefined : comparable(field, value),
	);
	const user = username.trim().toLowerCase().normalize();
	const sent = [user, isLeftOut('path') ? '' : path, name?.normalize(), size, content];
	return createHash('sha256').update(JSON.stringify(sent)).digest('base64');
}
