// The service's own words in an answer that says no. Source: the interface's Errors part.
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import type { Answer } from '../send/sendTypes';

export interface ServiceMessages {
	lines: string[];
	kind: 'fields' | 'permissions' | 'text';
}

/** Of a body with errors without end. */
const maxLines = 100;

/** Anything the service may put where a text is due. */
const messageText = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const messageLine = (entry: unknown): string =>
	isObject(entry) && 'field' in entry && 'message' in entry
		? `${messageText(entry.field)}: ${messageText(entry.message)}`
		: messageText(entry);

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/**
 * The service's own words, from the body shapes the interface lists, else the body's beginning. Secrets are
 * taken out of each: JSON can write them in more ways than could be searched for before it is read.
 */
export function serviceMessagesOf({ text, redact = (words) => words }: Answer): ServiceMessages {
	const body = parseJson(text);
	const errors = isObject(body) ? body.errors : undefined;
	const say = (kind: ServiceMessages['kind'], lines: unknown[]): ServiceMessages => ({
		kind,
		lines: lines.slice(0, maxLines).map((line) => shortened(redact(messageLine(line)))),
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
