// Digests of JSON values. Rows are remembered and compared by them.
import { createHash } from 'node:crypto';

import { isObject } from '../../http/json';

const withSortedKeys = (_key: string, value: unknown): unknown =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

/** @returns the digest of a value read from JSON, whatever the order of its keys: 60 bits in 10 letters */
export const digestOf = (value: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(value, withSortedKeys) ?? '')
		.digest('base64url')
		.slice(0, 10);
