// Reads the service's messages from a response that reports a failure. Source: the API spec's part Errors.
import type { Operation } from '../area';
import { getIgnoringCase, isWebPage, parseJsonBesideText } from '../http/json';
import { linesOf, pageInWords } from '../http/webPage';
import { is } from './evidence';
import type { FinalResponse } from './judge';

export interface ServiceMessages {
	lines: string[];
	kind: 'fields' | 'permissions' | 'duplicate' | 'other';
}

/** Maximum number of messages read from one response. */
const maxLines = 100;

/** The text of a message, whatever the service sent as one. */
const messageText = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** The message with its field's name, and the field's label on the form if that differs. */
function messageLine(entry: unknown, { ids = [], body = [] }: Operation): string {
	const message = getIgnoringCase(entry, 'message');
	const name = getIgnoringCase(entry, 'field') ?? getIgnoringCase(entry, 'type');
	if (name === undefined || message === undefined) return messageText(message ?? entry);
	const field = [...ids, ...body].find((one) => one.name === name);
	const label = field && field.label.toLowerCase() !== field.name ? ` ('${field.label}')` : '';
	return `${messageText(name)}${label}: ${messageText(message)}`;
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/**
 * The messages of a failure: the gateway's; or the service's, from the error bodies that the API spec lists, read as
 * tolerantly as a success is (any case, after other text); or the beginning of any other body. If a response
 * contradicts itself, their kind is ignored.
 *
 * Secrets are removed from each message after the JSON is parsed, because JSON can write a secret in more ways than a
 * search in the raw text could cover.
 */
export function serviceMessagesOf(response: FinalResponse): ServiceMessages {
	const { text, cut, quote, operation, gateway, found: { reportedFailure } = {} } = response;
	const { body, otherText = '' } = parseJsonBesideText(text);
	const isUnclear = reportedFailure === 'maybe' || is.tooLarge(otherText);
	const messages = (kind: ServiceMessages['kind'], lines: unknown[]): ServiceMessages => ({
		kind: isUnclear ? 'other' : kind,
		lines: lines.slice(0, maxLines).map((line) => quote(messageLine(line, operation))),
	});
	if (gateway) return messages('other', gateway.words === '' ? [] : [gateway.words]);
	if (is.success(response) && !reportedFailure) return messages('other', []);
	const errors = getIgnoringCase(body, 'errors');
	// A program's warnings may tell why it refuses.
	const warnings = linesOf(cut ? '' : otherText);
	const validationErrors = getIgnoringCase(errors, 'validationErrors');
	const permissionErrors = getIgnoringCase(errors, 'permissionErrors');
	if (isList(validationErrors)) return messages('fields', [...validationErrors, ...warnings]);
	if (isList(permissionErrors)) return messages('permissions', [...permissionErrors, ...warnings]);
	const isOne = typeof errors === 'string' || getIgnoringCase(errors, 'message') !== undefined;
	const isDuplicate = (error: unknown) => getIgnoringCase(error, 'type') === 'Duplicate';
	const all = isOne || isList(errors) ? [errors].flat() : [];
	const kind = all.every(isDuplicate) ? 'duplicate' : 'other';
	if (all.length > 0) return messages(kind, [...all, ...warnings]);
	if (isWebPage(text)) return messages('other', [`(${pageInWords(text)})`]);
	// A truncated text may end within a secret, and half a secret is not found.
	return messages('other', cut || text.trim() === '' ? [] : [text.trim()]);
}
