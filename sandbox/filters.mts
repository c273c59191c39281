// The `filter` list parameter. The API spec names only its operators; the public record shows how one is written.
import { badRequest } from './errorResponses.mts';
import type { ComparedField } from './recordStore.mts';

/** As SQL writes them. */
const operators: Record<string, string> = {
	eq: '=',
	ne: '<>',
	ge: '>=',
	gt: '>',
	le: '<=',
	lt: '<',
};

/** Each begins where the last one has ended. */
const conditions =
	/(?<field>\w+)\s+(?<operator>eq|ne|ge|gt|le|lt)\s+(?:"(?<text>(?:[^"\\]|\\.)*)"|(?<number>-?\d+(?:\.\d+)?))(?:\s*,\s*|$)/gy;

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
		operator: operators[groups.operator!]!,
		value: groups.text?.replace(/\\(.)/g, '$1') ?? Number(groups.number),
	}));
}
