// The service's own words in an answer that says no. Source: the interface's Errors part.
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import type { Answer } from '../send/attempt';

export interface Words {
	lines: string[];
	kind: 'fields' | 'permissions' | 'text';
}

/** Of a body with errors without end. */
const mostLines = 100;

/** Anything the service may put where a text is due. */
const textOf = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const lineOf = (entry: unknown): string =>
	isObject(entry) && 'field' in entry && 'message' in entry
		? `${textOf(entry.field)}: ${textOf(entry.message)}`
		: textOf(entry);

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/**
 * The service's own words, from the body shapes the interface lists, else the body's beginning. Secrets are
 * taken out of each: JSON can write them in more ways than could be searched for before it is read.
 */
export function wordsOf({ text, redact = (words) => words }: Answer): Words {
	const body = parseJson(text);
	const errors = isObject(body) ? body.errors : undefined;
	const say = (kind: Words['kind'], lines: unknown[]): Words => ({
		kind,
		lines: lines.slice(0, mostLines).map((line) => shortened(redact(lineOf(line)))),
	});
	if (isObject(errors) && isList(errors.validationErrors)) {
		return say('fields', errors.validationErrors);
	}
	if (isObject(errors) && isList(errors.permissionErrors)) {
		return say('permissions', errors.permissionErrors);
	}
	if (typeof errors === 'string') return say('text', [errors]);
	if (isWebPage(text)) return say('text', ['(a web page)']);
	return say('text', text.trim() === '' ? [] : [text.trim()]);
}
