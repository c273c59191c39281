// The fingerprint of an item: whether two items would have the service do the same. It shows that a key has come to
// mean another row, or a row has got another key.
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../area';
import { parameterName } from '../form/labels';
import { isEmpty } from '../http/json';
import { requestOf } from '../kinds/checkOnly';
import type { Job } from '../kinds/job';
import type { Sample } from './keyRules';

/** A date and time with its offset (RFC 3339), which has several notations. */
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** In an expression, what gives something else in a later execution. */
const changing =
	/\$(?:now|today|execution)\b|\bDate\.now\(|new Date\(\)|DateTime\.(?:now|local|utc)\(\)/;

/** Each value that is sent for an item, by the names that lead to it; of a file its name and size. */
function valuesOf(operation: Operation, job: Job): Map<string, string> {
	const { path, body } = requestOf(operation, job);
	const { name, size } = job.file ?? {};
	const values = new Map<string, string>();
	const add = (value: unknown, names: string) => {
		if (typeof value === 'object' && !isEmpty(value))
			for (const [part, inner] of Object.entries(value!)) add(inner, `${names}\n${part}`);
		else {
			const isInstant = typeof value === 'string' && instant.test(value);
			values.set(names, JSON.stringify(isInstant ? Date.parse(value) : value));
		}
	};
	add({ path, body, name, size }, '');
	return values;
}

/**
 * @param first item of the run, and the same item as it was read again later: what differs in it is left out, and so is
 * a field whose expression would give something else in a later execution
 * @param parameters of the node, as they are saved
 * @returns gives the fingerprint of an item of the run: the same for each notation of its values
 */
export function fingerprints(
	{ operation, sample: [first, again] }: { operation: Operation; sample: Sample },
	parameters: IDataObject,
): (job: Job) => string {
	const fields = new Set<string>();
	JSON.stringify(parameters, (name, value: unknown) => {
		// Where one expression gives the whole record, nobody knows in which of its fields.
		if (typeof value === 'string' && changing.test(value))
			fields.add(name === 'json' ? 'body' : name);
		return value;
	});
	const readAgain = valuesOf(operation, { ...again, file: first.file });
	const differing = [...valuesOf(operation, first)].filter(
		([names, value]) => readAgain.get(names) !== value,
	);
	const leftOut = new Set(differing.map(([names]) => names));
	return (job) => {
		const values = [...valuesOf(operation, job)].filter(
			([names]) =>
				!leftOut.has(names) && !names.split('\n').some((name) => fields.has(parameterName(name))),
		);
		return createHash('sha256').update(JSON.stringify(values.sort())).digest('base64');
	};
}
