// Reads the service's messages from a response that says that the request failed. Source: the API spec's part Errors.
import type { Operation } from '../area';
import { isWebPage, jsonIn, getIgnoringCase } from '../http/json';
import { is, type FinalResponse } from './evidence';

export interface ServiceMessages {
	lines: string[];
	kind: 'fields' | 'permissions' | 'duplicate' | 'other';
}

/** Most messages that are read of one response. */
const maxLines = 100;

/** A text for whatever the service puts where a text belongs. */
const messageText = (value: unknown): string =>
	typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Beside a field's name stands its label on the form, if it has one. */
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
 * The messages of a failure: the gateway's; or the service's, from the shapes of bodies that the API spec lists, read as
 * widely as a success is: in any letter case, after other text. From any other body, its beginning. Where a response
 * contradicts itself, their kind counts for nothing.
 * Secrets are taken out of each message after the JSON is read, because JSON can write a secret in more ways than a
 * search in the unread text could cover.
 */
export function serviceMessagesOf(response: FinalResponse): ServiceMessages {
	const { text, cut, quote, operation, gateway, found: { reportedFailure } = {} } = response;
	const messages = (kind: ServiceMessages['kind'], lines: unknown[]): ServiceMessages => ({
		kind: reportedFailure === 'maybe' ? 'other' : kind,
		lines: lines.slice(0, maxLines).map((line) => quote(messageLine(line, operation))),
	});
	if (gateway) return messages('other', gateway.words === '' ? [] : [gateway.words]);
	if (is.success(response) && !reportedFailure) return messages('other', []);
	const errors = getIgnoringCase(jsonIn(text), 'errors');
	const validationErrors = getIgnoringCase(errors, 'validationErrors');
	const permissionErrors = getIgnoringCase(errors, 'permissionErrors');
	if (isList(validationErrors)) return messages('fields', validationErrors);
	if (isList(permissionErrors)) return messages('permissions', permissionErrors);
	const isOne = typeof errors === 'string' || getIgnoringCase(errors, 'message') !== undefined;
	const isDuplicate = (error: unknown) => getIgnoringCase(error, 'type') === 'Duplicate';
	const all = isOne || isList(errors) ? [errors].flat() : [];
	if (all.length > 0) return messages(all.every(isDuplicate) ? 'duplicate' : 'other', all);
	if (isWebPage(text)) return messages('other', ['(a web page)']);
	// A text that broke off may end within a secret. Half a secret is not found.
	return messages('other', cut || text.trim() === '' ? [] : [text.trim()]);
}
