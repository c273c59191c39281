// The `filter` list parameter. The API spec names only its operators; the public record shows how one is written.
import { badRequest } from './errorResponses.mts';
import type { ComparedField, Operator } from './recordStore.mts';

/** Each match starts where the last one ended. Unquoted values start with a digit, as numbers and times do. */
const conditions =
	/(?<field>\w+)\s+(?<operator>eq|ne|ge|gt|le|lt)\s+(?:"(?<text>(?:[^"\\]|\\.)*)"|(?<bare>-?\d[^\s",]*(?: \d[\d:.]*)?))(?:\s*,\s*|$)/gy;

const bareValue = (text: string): string | number =>
	/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;

/**
 * @param filter such as `city eq "Springfield", zip ge 60000`; a backslash in quotes stands before any character
 * @returns the conditions that must all hold
 * @throws ErrorResponse (400) when the text cannot be read
 */
export function conditionsOf(filter: string): ComparedField[] {
	const given = filter.trim();
	const found = [...given.matchAll(conditions)];
	const rest = given.slice(found.map(([text]) => text).join('').length);
	if (rest !== '') {
		throw badRequest({ field: 'filter', message: `cannot be read from here: ${rest}` });
	}
	return found.map(({ groups = {} }) => ({
		field: groups.field!,
		operator: groups.operator as Operator,
		value: groups.text?.replace(/\\(.)/g, '$1') ?? bareValue(groups.bare!),
	}));
}
