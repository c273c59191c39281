// Reads the service's messages from an answer that says that the request failed. Source: the interface's part Errors.
import { isObject, isWebPage, parseJson, shortened } from '../http/json';
import type { Answer } from '../send/sendTypes';

export interface ServiceMessages {
	lines: string[];
	kind: 'fields' | 'permissions' | 'text';
}

/** Most messages that are read of one answer. */
const maxLines = 100;

/** A text for whatever the service puts where a text belongs. */
const messageText = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const messageLine = (entry: unknown): string =>
	isObject(entry) && 'field' in entry && 'message' in entry
		? `${messageText(entry.field)}: ${messageText(entry.message)}`
		: messageText(entry);

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/**
 * The service's messages, from the shapes of bodies that the interface lists; from any other body, its beginning.
 * Secrets are taken out of each message after the JSON is read, because JSON can write a secret in more ways than a
 * search in the unread text could cover.
 */
export function serviceMessagesOf({ text, redact = (words) => words }: Answer): ServiceMessages {
	const body = parseJson(text);
	const errors = isObject(body) ? body.errors : undefined;
	const messages = (kind: ServiceMessages['kind'], lines: unknown[]): ServiceMessages => ({
		kind,
		lines: lines.slice(0, maxLines).map((line) => shortened(redact(messageLine(line)))),
	});
	if (isObject(errors) && isList(errors.validationErrors)) {
		return messages('fields', errors.validationErrors);
	}
	if (isObject(errors) && isList(errors.permissionErrors)) {
		return messages('permissions', errors.permissionErrors);
	}
	if (typeof errors === 'string') return messages('text', [errors]);
	if (isWebPage(text)) return messages('text', ['(a web page)']);
	return messages('text', text.trim() === '' ? [] : [text.trim()]);
}
